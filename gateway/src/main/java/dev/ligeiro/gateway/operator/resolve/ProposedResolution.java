package dev.ligeiro.gateway.operator.resolve;

import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An operators' decision as it is stored; {@link dev.ligeiro.store.ResolutionFields} has the fields that processors read.
 *
 * @param open what it is about, until it has ended; then null
 * @param tenant in whose books the money is
 * @param operator who has proposed it
 * @param decidedBy who has confirmed or withdrawn it; null before
 */
@Document(CollectionNames.RESOLUTIONS)
record ProposedResolution(
        @Id UUID id,
        @Nullable String open,
        String state,
        String decision,
        long tenant,
        @Nullable UUID transactionId,
        @Nullable UUID refund,
        @Nullable String unmatchedPayment,
        @Nullable String endToEndId,
        @Nullable Instant paidAt,
        String reason,
        String operator,
        Instant proposedAt,
        @Nullable String decidedBy,
        @Nullable String decidedReason,
        @Nullable Instant decidedAt,
        @Nullable Instant endedAt) {

    Subject subject() {
        return new Subject(
                ResolutionDecision.fromCode(decision), transactionId, refund, unmatchedPayment, endToEndId, paidAt);
    }

    /**
     * A decision and its subject.
     *
     * @param transactionId the one with the unknown outcome, or to which an unmatched payment is assigned or credited
     * @param unmatchedPayment the id of its record; null for an unknown outcome
     * @param endToEndId the payment as the bank names it, of a cashout that was paid; else null
     */
    record Subject(
            ResolutionDecision decision,
            @Nullable UUID transactionId,
            @Nullable UUID refund,
            @Nullable String unmatchedPayment,
            @Nullable String endToEndId,
            @Nullable Instant paidAt) {

        /** One decision at a time is open about it. */
        String name() {
            if (unmatchedPayment != null) {
                return "unmatched_payment/" + unmatchedPayment;
            }
            return refund == null ? "transaction/" + transactionId : "refund/" + refund;
        }

        ProposedResolution proposed(UUID id, long tenant, String reason, String operator, Instant at) {
            return new ProposedResolution(
                    id,
                    name(),
                    ResolutionState.PROPOSED.code(),
                    decision.code(),
                    tenant,
                    transactionId,
                    refund,
                    unmatchedPayment,
                    endToEndId,
                    paidAt,
                    reason,
                    operator,
                    at,
                    null,
                    null,
                    null,
                    null);
        }
    }

    ProposedResolution confirmed(String by, Instant at) {
        return new ProposedResolution(
                id,
                open,
                ResolutionState.CONFIRMED.code(),
                decision,
                tenant,
                transactionId,
                refund,
                unmatchedPayment,
                endToEndId,
                paidAt,
                reason,
                operator,
                proposedAt,
                by,
                null,
                at,
                null);
    }
}
