package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Transaction;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * What all decisions of a batch follow.
 *
 * @param facts what the rail of a transaction states about itself; empty when this processor does not have the rail, which it counts
 * @param guard whether a cashout may go to its rail
 * @param confirmed the batch's decisions of operators that MongoDB has as confirmed: a writer to Kafka must not decide
 * @param secret a random one, for all rail calls that the batch opens: with one for each call, equal updates would not share a statement
 */
public record BatchRules(
        Function<Transaction, Optional<RailFacts>> facts,
        Function<Transaction, GuardVerdict> guard,
        Set<TransactionCommand> confirmed,
        UUID secret) {}
