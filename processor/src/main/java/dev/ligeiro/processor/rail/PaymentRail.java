package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.util.concurrent.CompletableFuture;

/**
 * A payment network. It knows a transaction by the transaction's id and a refund by the refund's id; both are fixed before the first
 * call. A call never blocks. A malformed response is {@link RailOutcome.Unknown}, because the money may have moved; a failed future
 * counts as unknown too, but for {@link RailFault#beforeCall}, and enough of them open the circuit breaker of the account.
 *
 * <p>A call that has timed out is cancelled by its future ({@link CompletableFuture#cancel}) and counts as unknown. The rail must then
 * stop the call and close its connection or stream to the network, because the next call of the account starts at once. A future that
 * is derived from another one ({@link CompletableFuture#thenApply}) must pass the cancellation on.
 */
public interface PaymentRail {

    RailFacts facts();

    /** The paying account of a transaction; {@link RailFacts#callsAtOnceMax} bounds its calls at once. */
    String account(Transaction transaction);

    /** Whether a cashout is only paid if its document is that of the key's owner. */
    default boolean comparesOwner(Transaction cashout) {
        return false;
    }

    /**
     * Registers the charge of a cashin, sends the money of a cashout. A cashin may be submitted again. A cashout is submitted again,
     * always with the same id, only when the rail has {@linkplain RailOutcome.NotStarted not started} it, after an inquiry has not found
     * it, or in place of an inquiry ({@link RailFacts.Inquiry#BY_RESUBMISSION}).
     */
    CompletableFuture<RailOutcome> submit(Transaction transaction);

    /**
     * Asks for the outcome of a transaction that may have been submitted, or whether a cashout in analysis may be submitted now
     * ({@link RailOutcome.NotStarted}). Moves no money. The answer of a rail that is too busy is {@link RailOutcome.Unknown}. A rail that
     * is asked by resubmission gets this call for charges of cashins, for cashouts in analysis, and before a rejection of a repeated submission
     * counts. If it cannot look a payment up, its answer is {@link RailOutcome.Unknown}, and the operator asks the bank.
     *
     * <p>If the transaction's rail call {@linkplain RailCall#checksPayer checks the payer}, the answer also tells whether the payer has its
     * document ({@link RailOutcome.Settled#payerMatches}), as far as the rail can tell ({@link RailFacts#tellsPayer}).
     *
     * <p>A transaction that has its outcome is asked about too, when the rail has reported something about it. The answer must name every
     * payment of the transaction: {@link RailOutcome.Settled} stands for one of the agreed amount, {@link RailOutcome.Surplus} has all
     * others.
     */
    CompletableFuture<RailOutcome> inquire(Transaction transaction);

    /**
     * Removes the charge of a pending cashin, then answers as {@link #inquire} does: {@link RailOutcome.Rejected} when nobody can pay the
     * charge any more. It is repeated until the answer is that, or says that the payer was first. A rail that {@linkplain
     * RailFacts#registersAtOnce registers at once} is never asked.
     */
    default CompletableFuture<RailOutcome> cancel(Transaction transaction) {
        return inquire(transaction);
    }

    /** Moves money of a paid cashin back. It is submitted again as a cashout is, see {@link #submit}. */
    CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund);

    /**
     * Asks for the outcome of a refund that may have been submitted. Moves no money. A rail that is asked by resubmission gets this call
     * only to confirm the rejection of a repeated submission.
     */
    CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund);
}
