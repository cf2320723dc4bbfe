package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.util.concurrent.CompletableFuture;

/**
 * A payment network. It knows a transaction by the transaction's id and a refund by the refund's id; both are fixed before the first
 * call. A call never blocks. A malformed response is {@link RailOutcome.Unknown}, because the money may have moved; a failed future
 * counts as unknown too, and enough of them open the circuit breaker of the account.
 */
public interface PaymentRail {

    RailFacts facts();

    /** The paying account of a transaction; {@link RailFacts#callsAtOnceMax} bounds the calls of one account. */
    String account(Transaction transaction);

    /**
     * Registers the charge of a cashin, sends the money of a cashout. A cashin may be submitted again. A cashout is submitted again,
     * always with the same id, only after an inquiry has not found it, or in place of an inquiry
     * ({@link RailFacts.Inquiry#BY_RESUBMISSION}).
     */
    CompletableFuture<RailOutcome> submit(Transaction transaction);

    /**
     * Asks for the outcome of a transaction that may have been submitted, or whether a cashout in analysis may be submitted now
     * ({@link RailOutcome.NotStarted}). Moves no money. A rail that is asked by resubmission gets this call for charges of cashins and
     * for cashouts in analysis only.
     */
    CompletableFuture<RailOutcome> inquire(Transaction transaction);

    /** Moves money of a paid cashin back. Submitted again only after an inquiry has not found it. */
    CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund);

    /** Asks for the outcome of a refund that may have been submitted. Moves no money. */
    CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund);
}
