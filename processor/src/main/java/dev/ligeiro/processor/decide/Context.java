package dev.ligeiro.processor.decide;

import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a decision is made from; and the times that follow, at which a processor looks at a rail call again.
 *
 * @param transaction as it is before the decision
 * @param facts what its rail states about itself
 */
record Context(Transaction transaction, RailFacts facts, Instant now) {

    /** For an answer that waits for a person at the bank, too. */
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);

    /** The rail's answer arrives as a command, which may wait behind others. */
    private static final Duration COMMAND_MAX = Duration.ofSeconds(5);

    /**
     * Each pause is then about a quarter of the time since the call. The next inquiry after an outage of the rail comes at most that much
     * later: within 30 s after an outage of two minutes.
     */
    private static final double GROWTH = 1.25;

    /** Enough to grow from 1 ms to the longest pause. */
    private static final int GROWTHS_MAX = 60;

    Context with(Transaction changed) {
        return new Context(changed, facts, now);
    }

    /** Whether the rail may know the transaction, although it is new here: a restored backup has forgotten its submission. */
    boolean mayBeKnown() {
        return facts.mayKnow(transaction);
    }

    boolean isAskedById() {
        return facts.inquiry() == RailFacts.Inquiry.BY_ID;
    }

    /** Whether nothing may be submitted for it any more. */
    boolean hasOutcome() {
        return switch (transaction.status()) {
            case PAID, DENIED, CANCELED, REFUND, EXPIRED -> true;
            case PENDING, IN_PROCESS, IN_ANALYSIS -> false;
        };
    }

    /** Whether it is a cashin without an outcome, whose charge the rail may know. */
    static boolean isWaitingCashin(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN && transaction.status() == Status.PENDING;
    }

    /** The merchant's request to cancel the cashin, which the rail has not answered yet. */
    static Optional<ChangeRef> openCancel(Transaction transaction) {
        return transaction.railCall(null).map(RailCall::cancel).filter(request -> isWaitingCashin(transaction));
    }

    /** Whether the rail analyses the cashout, which has not been submitted then. */
    boolean isAnalysed(RailCall call) {
        return call.refund() == null
                && transaction.operation() == Operation.CASHOUT
                && transaction.status() == Status.IN_ANALYSIS;
    }

    /** Whether nobody has paid the cashin in time, if an inquiry at this time finds no payment. */
    boolean isUnpaid(Instant askedAt) {
        return isExpiring(askedAt.minus(facts.expiryGrace()));
    }

    boolean isExpiring(Instant at) {
        return isWaitingCashin(transaction) && !at.isBefore(transaction.terms().expiresAt());
    }

    /** When the outcome of a call that begins now is missing. */
    Instant afterCall() {
        return now.plus(answeredWithin());
    }

    /** Whether the latest question of {@code call} was asked after this time, so that an answer may still come. */
    boolean isAskedAfter(RailCall call, Instant askedAt) {
        return call.dueAt().minus(answeredWithin()).isAfter(askedAt);
    }

    private Duration answeredWithin() {
        Duration answered = facts.callTimeout().plus(COMMAND_MAX);
        return answered.compareTo(facts.inquireAfter()) > 0 ? answered : facts.inquireAfter();
    }

    /** The next inquiry or submission after an answer that settled nothing: each pause is a quarter longer, up to 5 minutes. */
    Instant afterAnswer(RailCall call) {
        double factor = Math.pow(GROWTH, Math.min(call.inquiries(), GROWTHS_MAX));
        Duration pause = Duration.ofMillis((long) (facts.inquireAfter().toMillis() * factor));
        return now.plus(pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX);
    }

    /** From then on "not found" means that the submission has not arrived and never will. An earlier inquiry means nothing. */
    Instant notFoundCountsFrom(RailCall call) {
        Duration arrived = facts.lateArrival().multipliedBy(2);
        return call.since().plus(arrived.compareTo(facts.inquireAfter()) > 0 ? arrived : facts.inquireAfter());
    }

    /** The rail call of the transaction itself, or a first one, whose answer comes until {@code dueAt}. */
    RailCall callOrFirst(Instant dueAt) {
        return transaction.railCall(null).orElseGet(() -> RailCall.first(null, now, dueAt));
    }

    /** The call waits: the answer has settled nothing. */
    Decision waitsUntil(RailCall call, Instant dueAt) {
        return Decision.store(transaction.with(call.waitingUntil(dueAt)));
    }
}
