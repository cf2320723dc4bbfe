package dev.ligeiro.processor.intake;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A rail for live transactions with a {@link RailLedger}. It answers 20 ms later, so an answer becomes a command. */
class LedgerRail implements PaymentRail {

    /** Long enough for the first rail call of a new process. */
    private static final Duration LATE_ARRIVAL = Duration.ofSeconds(30);

    /** A call without an answer has none when its processor is killed. */
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(3);

    private static final Duration INQUIRE_AFTER = Duration.ofMillis(200);
    private static final long ANSWER_MILLIS = 20;

    private final RailLedger ledger;

    LedgerRail(RailLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public RailFacts facts() {
        return new RailFacts(
                "bank",
                LATE_ARRIVAL,
                INQUIRE_AFTER,
                RailFacts.Inquiry.BY_ID,
                false,
                10,
                CALL_TIMEOUT,
                transaction -> false);
    }

    @Override
    public String account(Transaction transaction) {
        return "account-1";
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        ledger.move(transaction.id());
        return answer(RailCallKind.SUBMIT, RailOutcome.Settled.asAgreed());
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        return answer(RailCallKind.INQUIRE, ledger.outcome(transaction.id()));
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        ledger.move(refund.id());
        return answer(RailCallKind.SUBMIT, RailOutcome.Settled.asAgreed());
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return answer(RailCallKind.INQUIRE, ledger.outcome(refund.id()));
    }

    CompletableFuture<RailOutcome> answer(RailCallKind call, RailOutcome outcome) {
        return new CompletableFuture<RailOutcome>().completeOnTimeout(outcome, ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }
}
