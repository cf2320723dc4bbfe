package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;

/**
 * The simulated rail of test transactions. It moves no money and has no state: the outcome depends only on the operation and the
 * cents of the amount, so an inquiry gives the same outcome as the submission. Cents 11 pay a cashin at once, 12 deny the
 * transaction; other cashins stay pending, other cashouts are paid.
 */
@Component
class SimulatedRail implements PaymentRail {

    private static final int CENTS = 100;
    private static final int PAID_AT_ONCE = 11;
    private static final int DENIED = 12;
    private static final String REASON = "rejected_by_rail";
    private static final RailFacts FACTS = new RailFacts(
            "simulator",
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            RailFacts.Inquiry.BY_ID,
            1_000,
            Duration.ofSeconds(10),
            transaction -> false);

    @Override
    public RailFacts facts() {
        return FACTS;
    }

    @Override
    public String account(Transaction transaction) {
        return Long.toString(transaction.tenant().key());
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        return CompletableFuture.completedFuture(outcome(transaction));
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        return CompletableFuture.completedFuture(outcome(transaction));
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        return CompletableFuture.completedFuture(RailOutcome.Settled.asAgreed());
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return CompletableFuture.completedFuture(RailOutcome.Settled.asAgreed());
    }

    static RailOutcome outcome(Transaction transaction) {
        int cents = (int) (transaction.terms().amount().cents() % CENTS);
        if (cents == DENIED) {
            return new RailOutcome.Rejected(REASON);
        }
        boolean settles = transaction.operation() == Operation.CASHOUT || cents == PAID_AT_ONCE;
        return settles ? RailOutcome.Settled.asAgreed() : new RailOutcome.Pending();
    }
}
