package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The rail of test transactions: moves no money, keeps nothing. Its answer follows from the transaction alone, by the cents of
 * the amount, so that an inquiry tells what the submission would have told.
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
        int magic = (int) (transaction.amount().cents() % CENTS);
        if (magic == DENIED) {
            return new RailOutcome.Rejected(REASON);
        }
        boolean settles = transaction.operation() == Operation.CASHOUT || magic == PAID_AT_ONCE;
        return settles ? new RailOutcome.Settled() : new RailOutcome.Pending();
    }
}
