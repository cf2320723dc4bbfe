package dev.ligeiro.transaction;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request to the rail whose outcome is not known yet: the submission of a transaction, or that of a refund. It is stored before the
 * rail is called, so the call is never forgotten. Times are truncated to the millisecond.
 *
 * @param refund the refund to be made; null for the transaction itself
 * @param submissions how many times a processor has taken the submission over, from 1. A submission after the first may find its
 *     predecessor's work done
 * @param begun whether a submission may have reached the rail; false after the rail refused it for now
 * @param since the time at which the latest submission was taken over; no call of it begins later than the rail's late-arrival span
 *     after this time
 * @param inquiries how many times the outcome was asked for, or the submission refused for now; the back-off follows from it
 * @param refusal the reason of a refused submission after the first, until an inquiry has confirmed that no money moved; else null
 * @param dueAt when a processor must look at this call again
 */
public record OpenCall(
        @Nullable RefundId refund,
        int submissions,
        boolean begun,
        Instant since,
        int inquiries,
        @Nullable String refusal,
        Instant dueAt) {

    public OpenCall {
        since = since.truncatedTo(ChronoUnit.MILLIS);
        dueAt = dueAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The first submission, by the processor that stores this call. */
    public static OpenCall first(@Nullable RefundId refund, Instant now, Instant dueAt) {
        return new OpenCall(refund, 1, true, now, 0, null, dueAt);
    }

    /**
     * A further submission, by the processor that stores this call. The id sent to the rail stays the same. It counts also after a refusal
     * for now, so that a late answer to the earlier submission is not taken for an answer to this one.
     */
    public OpenCall takenOver(Instant now, Instant nextDueAt) {
        return new OpenCall(refund, submissions + 1, true, now, begun ? 0 : inquiries, refusal, nextDueAt);
    }

    /** A further submission that asks for the outcome of the earlier ones; the pauses before it go on growing. */
    public OpenCall repeated(Instant now, Instant nextDueAt) {
        return new OpenCall(refund, submissions + 1, true, now, inquiries + 1, refusal, nextDueAt);
    }

    /** The state before an inquiry, by the processor that stores this call. */
    public OpenCall asked(Instant nextDueAt) {
        return new OpenCall(refund, submissions, begun, since, inquiries + 1, refusal, nextDueAt);
    }

    /** The state after an answer that settles nothing. */
    public OpenCall waitingUntil(Instant nextDueAt) {
        return new OpenCall(refund, submissions, begun, since, inquiries, refusal, nextDueAt);
    }

    /** The state after the rail refused the submission for now: nothing was begun. */
    public OpenCall notStarted(Instant nextDueAt) {
        return new OpenCall(refund, submissions, false, since, inquiries + 1, refusal, nextDueAt);
    }

    /** The state after a refusal that an inquiry must confirm. */
    public OpenCall refused(String reason, Instant nextDueAt) {
        return new OpenCall(refund, submissions, begun, since, inquiries, reason, nextDueAt);
    }
}
