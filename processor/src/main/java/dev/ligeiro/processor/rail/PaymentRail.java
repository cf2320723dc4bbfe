package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import reactor.core.publisher.Mono;

/**
 * A payment network. Every call ends within the rail's own time limit and never with an error: a time-out, or an answer that
 * cannot be read, is {@link RailOutcome.Unknown}, since the money may have moved.
 */
public interface PaymentRail {

    /** Whose transactions it carries: a test transaction never reaches a rail that moves money. */
    Mode mode();

    /**
     * Starts a transaction: registers the charge of a cashin, sends the money of a cashout. A cashin may be submitted again; a
     * cashout is submitted at most once, after its {@code in_process} is durable.
     */
    Mono<RailOutcome> submit(Transaction transaction);

    /** Asks what has become of a transaction that may have been submitted. Moves no money, so it may be asked at any time. */
    Mono<RailOutcome> inquire(Transaction transaction);
}
