package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * What a rail states about itself. Banks differ in these, so the flow assumes none of them.
 *
 * @param name the rail in settings, metrics and unmatched payments
 * @param lateArrival how long after its beginning a submission may still arrive at the rail. No submission begins later than this
 *     after it was stored, and "not found" means nothing before twice this span
 * @param inquireAfter how soon after a submission an inquiry means something; also the first pause of the back-off
 * @param inquiry how the outcome of a submission is asked for
 * @param registersAtOnce whether the registration of a charge is answered before the call returns. Nothing is then stored before it, so
 *     any registration may be a repetition; with a network in between it must be false. Such a rail keeps no charge, so a cancel does not
 *     call it
 * @param callsAtOnceMax the calls in flight for one paying account: of a live rail by all processors together, otherwise by each. The
 *     answer of a bank to one too many must mean "not started" for a submission, "unknown" for an inquiry
 * @param callTimeout a call without an answer is cancelled after this time and ends as unknown. An inquiry that has waited for longer
 *     before its call is not made and ends as unknown too
 * @param analysesFirst whether the rail analyses a cashout before it may be submitted
 * @param expiryGrace how long after its expiry a cashin waits for the last inquiry: the rail may show a payment late
 * @param tellsPayer whether an inquiry about a paid cashin can tell if the payer has its document
 * @param restoredAt when the operator has restored a backup, which has forgotten later submissions; long ago if never
 */
public record RailFacts(
        String name,
        Duration lateArrival,
        Duration inquireAfter,
        Inquiry inquiry,
        boolean registersAtOnce,
        int callsAtOnceMax,
        Duration callTimeout,
        Predicate<Transaction> analysesFirst,
        Duration expiryGrace,
        boolean tellsPayer,
        Instant restoredAt) {

    /** What a rail states that shows each payment at once, and no payer. */
    public RailFacts(
            String name,
            Duration lateArrival,
            Duration inquireAfter,
            Inquiry inquiry,
            boolean registersAtOnce,
            int callsAtOnceMax,
            Duration callTimeout,
            Predicate<Transaction> analysesFirst) {
        this(
                name,
                lateArrival,
                inquireAfter,
                inquiry,
                registersAtOnce,
                callsAtOnceMax,
                callTimeout,
                analysesFirst,
                Duration.ZERO,
                false,
                Instant.EPOCH);
    }

    RailFacts withRestoredAt(Instant time) {
        return new RailFacts(
                name,
                lateArrival,
                inquireAfter,
                inquiry,
                registersAtOnce,
                callsAtOnceMax,
                callTimeout,
                analysesFirst,
                expiryGrace,
                tellsPayer,
                time);
    }

    /** Whether the rail may know a transaction that is new here, because a restored backup has forgotten its submission. */
    public boolean mayKnow(Transaction transaction) {
        return transaction.createdAt().isBefore(restoredAt);
    }

    /** Whether the rail may know a refund that is new here. */
    public boolean mayKnow(RefundId refund) {
        return refund.requestedAt().isBefore(restoredAt);
    }

    /** How the outcome of a submission is asked for. */
    public enum Inquiry {
        /** By the id that was sent with the submission. */
        BY_ID,
        /**
         * By sending the submission with the same id again; the rail then repeats its first answer. The rejection of such a repetition
         * counts only when an inquiry has confirmed it: there may be no money left because the first submission has moved it.
         */
        BY_RESUBMISSION
    }
}
