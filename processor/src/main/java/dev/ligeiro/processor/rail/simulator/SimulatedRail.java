package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

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

    @Override
    public Mode mode() {
        return Mode.TEST;
    }

    @Override
    public Mono<RailOutcome> submit(Transaction transaction) {
        return Mono.just(outcome(transaction));
    }

    @Override
    public Mono<RailOutcome> inquire(Transaction transaction) {
        return Mono.just(outcome(transaction));
    }

    static RailOutcome outcome(Transaction transaction) {
        int cents = (int) (transaction.amount().cents() % CENTS);
        if (cents == DENIED) {
            return new RailOutcome.Rejected(REASON);
        }
        boolean settles = transaction.operation() == Operation.CASHOUT || cents == PAID_AT_ONCE;
        return settles ? new RailOutcome.Settled() : new RailOutcome.Pending();
    }
}
