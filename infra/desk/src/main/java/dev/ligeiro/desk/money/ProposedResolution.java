package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;

/**
 * An operators' decision as it is stored; {@link dev.ligeiro.store.ResolutionFields} has the fields that processors read.
 *
 * @param open what it is about, until it has ended; then null
 * @param tenant in whose books the money is
 * @param operator who has proposed it
 * @param decidedBy who has confirmed or withdrawn it; null before
 */
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

    /** @param isConfirmed whether its operator alone decides */
    static ProposedResolution of(
            UUID id, Proposal proposal, Tenant tenant, String operator, Instant at, boolean isConfirmed) {
        return new ProposedResolution(
                id,
                proposal.subject(),
                (isConfirmed ? ResolutionState.CONFIRMED : ResolutionState.PROPOSED).code(),
                requireNonNull(proposal.decision()).code(),
                tenant.key(),
                proposal.transaction(),
                proposal.refund(),
                proposal.unmatchedPayment(),
                proposal.e2eId(),
                proposal.paidAt(),
                requireNonNull(proposal.reason()),
                operator,
                at,
                isConfirmed ? operator : null,
                null,
                isConfirmed ? at : null,
                null);
    }

    Proposal proposal() {
        return new Proposal(
                ResolutionDecision.fromCode(decision),
                transactionId,
                refund,
                unmatchedPayment,
                endToEndId,
                paidAt,
                reason);
    }
}
