package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import reactor.core.publisher.Mono;

/**
 * A payment network. Every call ends within the rail's own time limit and never with an error. A time-out or a malformed response is
 * {@link RailOutcome.Unknown}, because the money may have moved.
 */
public interface PaymentRail {

    /** The mode of its transactions. Test transactions must never reach a rail that moves money. */
    Mode mode();

    /**
     * Starts a transaction: registers the charge of a cashin, sends the money of a cashout. A cashin may be submitted again. A
     * cashout is submitted at most once, after its status {@code in_process} is durable.
     */
    Mono<RailOutcome> submit(Transaction transaction);

    /** Asks for the outcome of a transaction that may have been submitted. Moves no money and may be repeated. */
    Mono<RailOutcome> inquire(Transaction transaction);
}
