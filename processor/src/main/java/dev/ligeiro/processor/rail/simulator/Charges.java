package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;

/**
 * What the simulated rail says about the charge of a cashin, and about a cashout that it analyses. Both follow from the amount and the
 * time, because registering a charge and analysing a cashout move no money.
 */
final class Charges {

    private static final RailOutcome PENDING = new RailOutcome.Pending();
    private static final RailOutcome IN_REVIEW = new RailOutcome.InReview();
    private static final RailOutcome NOT_STARTED = new RailOutcome.NotStarted();
    private static final RailOutcome REJECTED = new RailOutcome.Rejected(LedgerEntry.REJECTION);

    private Charges() {}

    /** The answer to the registration of a charge, and to a later inquiry. */
    static RailOutcome charge(Transaction cashin, Duration analysis, Instant now) {
        return switch (MagicAmount.of(cashin.terms().amount())) {
            case PAID_AT_ONCE -> RailOutcome.Settled.asAgreed();
            case DENIED -> REJECTED;
            case ANALYSED -> isAnalysisOver(cashin, analysis, now) ? RailOutcome.Settled.asAgreed() : IN_REVIEW;
            case ANALYSED_THEN_DENIED -> isAnalysisOver(cashin, analysis, now) ? REJECTED : IN_REVIEW;
            case TIMES_OUT_AFTER_MOVING, TIMES_OUT_WITHOUT_MOVING, SENT_BACK, ORDINARY -> PENDING;
        };
    }

    /** The answer to an inquiry about a cashout in analysis: not started means that it may be submitted now. */
    static RailOutcome analysis(Transaction cashout, Duration analysis, Instant now) {
        return isAnalysisOver(cashout, analysis, now) ? NOT_STARTED : IN_REVIEW;
    }

    private static boolean isAnalysisOver(Transaction transaction, Duration analysis, Instant now) {
        return transaction
                .history()
                .lastAt(Status.IN_ANALYSIS)
                .filter(since -> !now.isBefore(since.plus(analysis)))
                .isPresent();
    }
}
