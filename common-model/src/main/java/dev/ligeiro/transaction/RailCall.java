package dev.ligeiro.transaction;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call to the rail that is not settled yet: the submission of a transaction or of a refund, with the inquiries about it; or only an
 * inquiry, at the expiry of a transaction or after a report of the rail. A submission and an inquiry about a report are stored before their
 * calls, so they are never forgotten; an inquiry at the expiry is stored when its answer does not come at once. Times are truncated to the
 * millisecond.
 *
 * @param refund the refund to be made; null for the transaction itself
 * @param submissions the number of the latest submission, from 1; an inquiry alone has 1. A repeated submission may find that an earlier
 *     one has moved the money
 * @param begun whether a submission may have reached the rail; false after the rail has not started it
 * @param acknowledged whether the rail has accepted a submission; "not found" then never leads to another one
 * @param since the time at which the latest submission was stored, or of the first inquiry; no submission begins later than the rail's
 *     late-arrival span after this time
 * @param reportedAt when the rail last reported something about the transaction by itself; null for never. An answer to an earlier
 *     question does not end the call
 * @param inquiries how many times the outcome was asked for, or the rail did not start the submission; the back-off follows from it
 * @param rejection the reason of a rejected submission that may be a repetition, until an inquiry has confirmed it; else null
 * @param cancel the merchant's request to cancel the cashin, until the rail has said whether it removed the charge or was paid first; else
 *     null
 * @param resolution what operators have decided, until the rail has been asked once more; else null. Nothing is submitted meanwhile
 * @param reported a payment that the rail's latest report names with its payer, which an inquiry may not tell; else null
 * @param checksPayer whether the rail is also asked who has paid
 * @param dueAt when a processor must look at this call again
 * @param secret signs the answers to this call that come as commands. It is stored in MongoDB only, so a program that has access to
 *     Kafka alone cannot answer; null until the call is stored
 */
public record RailCall(
        @Nullable RefundId refund,
        int submissions,
        boolean begun,
        boolean acknowledged,
        Instant since,
        @Nullable Instant reportedAt,
        int inquiries,
        @Nullable String rejection,
        @Nullable ChangeRef cancel,
        @Nullable Resolution resolution,
        @Nullable Settlement reported,
        boolean checksPayer,
        Instant dueAt,
        @Nullable UUID secret) {

    public RailCall {
        since = since.truncatedTo(ChronoUnit.MILLIS);
        reportedAt = reportedAt == null ? null : reportedAt.truncatedTo(ChronoUnit.MILLIS);
        dueAt = dueAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The first submission or an inquiry alone, by the processor that stores this call. */
    public static RailCall first(@Nullable RefundId refund, Instant now, Instant dueAt) {
        return new RailCall(refund, 1, true, false, now, null, 0, null, null, null, null, false, dueAt, null);
    }

    public RailCall withSecret(UUID newSecret) {
        return with(draft -> draft.secret = newSecret);
    }

    /**
     * A further submission, by the processor that stores this call. The id sent to the rail stays the same. It counts also when the
     * rail has not started the earlier one, so that a late answer to the earlier submission is not taken for an answer to this one.
     */
    public RailCall takenOver(Instant now, Instant nextDueAt) {
        return submitted(now, begun ? 0 : inquiries, nextDueAt);
    }

    /** A further submission that asks for the outcome of the earlier ones; the pauses before it go on growing. */
    public RailCall repeated(Instant now, Instant nextDueAt) {
        return submitted(now, inquiries + 1, nextDueAt);
    }

    private RailCall submitted(Instant now, int nextInquiries, Instant nextDueAt) {
        return due(nextDueAt, draft -> {
            draft.submissions++;
            draft.begun = true;
            draft.since = now;
            draft.inquiries = nextInquiries;
        });
    }

    /** The state before an inquiry, by the processor that stores this call. */
    public RailCall asked(Instant nextDueAt) {
        return due(nextDueAt, draft -> draft.inquiries++);
    }

    /**
     * The state before the inquiry about a report of the rail, by the processor that stores this call.
     *
     * @param payment null if the report does not name the payer
     */
    public RailCall reported(Instant now, @Nullable Settlement payment, Instant nextDueAt) {
        return due(nextDueAt, draft -> {
            draft.reportedAt = now;
            draft.reported = payment == null ? draft.reported : payment;
            draft.inquiries++;
        });
    }

    /** A question to the rail who has paid. */
    public RailCall checkingPayer(Instant nextDueAt) {
        return due(nextDueAt, draft -> draft.checksPayer = true);
    }

    /** The state before the rail is asked to remove the charge, by the processor that stores this call. */
    public RailCall canceling(ChangeRef request, Instant nextDueAt) {
        return due(nextDueAt, draft -> draft.cancel = request);
    }

    /** The state before the rail is asked once more, by the processor that stores this call. */
    public RailCall resolving(Resolution decided, Instant nextDueAt) {
        return due(nextDueAt, draft -> draft.resolution = decided);
    }

    public RailCall withoutResolution() {
        return with(draft -> draft.resolution = null);
    }

    /** Whether the rail has reported something since {@code askedAt}, about which an answer to that question says nothing. */
    public boolean isReportedAfter(Instant askedAt) {
        return reportedAt != null && reportedAt.isAfter(askedAt);
    }

    /** The state after an answer that settles nothing. */
    public RailCall waitingUntil(Instant nextDueAt) {
        return due(nextDueAt, draft -> {});
    }

    /** The state after the rail has said that it has accepted the submission, without an outcome. */
    public RailCall acknowledged(Instant nextDueAt) {
        return due(nextDueAt, draft -> draft.acknowledged = true);
    }

    /** The state after the rail has not started the submission. */
    public RailCall notStarted(Instant nextDueAt) {
        return due(nextDueAt, draft -> {
            draft.begun = false;
            draft.inquiries++;
        });
    }

    /** The state after a rejection that an inquiry must confirm. */
    public RailCall rejected(String reason, Instant nextDueAt) {
        return due(nextDueAt, draft -> draft.rejection = reason);
    }

    private RailCall due(Instant nextDueAt, Consumer<Draft> change) {
        return with(change.andThen(draft -> draft.dueAt = nextDueAt));
    }

    private RailCall with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.call();
    }

    private static final class Draft {

        private final @Nullable RefundId refund;
        private int submissions;
        private boolean begun;
        private boolean acknowledged;
        private Instant since;
        private @Nullable Instant reportedAt;
        private int inquiries;
        private @Nullable String rejection;
        private @Nullable ChangeRef cancel;
        private @Nullable Resolution resolution;
        private @Nullable Settlement reported;
        private boolean checksPayer;
        private Instant dueAt;
        private @Nullable UUID secret;

        Draft(RailCall call) {
            refund = call.refund;
            submissions = call.submissions;
            begun = call.begun;
            acknowledged = call.acknowledged;
            since = call.since;
            reportedAt = call.reportedAt;
            inquiries = call.inquiries;
            rejection = call.rejection;
            cancel = call.cancel;
            resolution = call.resolution;
            reported = call.reported;
            checksPayer = call.checksPayer;
            dueAt = call.dueAt;
            secret = call.secret;
        }

        RailCall call() {
            return new RailCall(
                    refund,
                    submissions,
                    begun,
                    acknowledged,
                    since,
                    reportedAt,
                    inquiries,
                    rejection,
                    cancel,
                    resolution,
                    reported,
                    checksPayer,
                    dueAt,
                    secret);
        }
    }

    @Override
    public String toString() {
        return "RailCall[refund=" + refund + ", submissions=" + submissions + ", begun=" + begun + ", acknowledged="
                + acknowledged + ", since=" + since + ", reportedAt=" + reportedAt + ", inquiries=" + inquiries
                + ", rejection=" + rejection + ", cancel=" + cancel + ", resolution=" + resolution + ", checksPayer="
                + checksPayer + ", dueAt=" + dueAt
                + "]";
    }
}
