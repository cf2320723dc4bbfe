package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Field;

/**
 * An operators' decision as it is stored and shown; {@link ResolutionFields} has the fields that processors read.
 *
 * @param open what it is about, until it has ended; then null
 * @param tenant in whose books the money is
 * @param decidedBy who has confirmed or withdrawn it; null before
 */
public record Resolution(
        @Id UUID id,
        @JsonIgnore @Nullable String open,
        String state,
        String decision,
        @JsonIgnore long tenant,
        @Field(ResolutionFields.TRANSACTION_ID) @Nullable UUID transaction,
        @Nullable UUID refund,
        @Nullable String unmatchedPayment,
        @Field(ResolutionFields.END_TO_END_ID) @Nullable String e2eId,
        @Nullable Instant paidAt,
        String reason,
        @Field("operator") String proposedBy,
        Instant proposedAt,
        @Nullable String decidedBy,
        @Nullable String decidedReason,
        @Nullable Instant decidedAt,
        @Nullable Instant endedAt) {

    /** @param isConfirmed whether its operator alone decides */
    static Resolution of(UUID id, Proposal proposal, Tenant tenant, String operator, Instant at, boolean isConfirmed) {
        return new Resolution(
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
                ResolutionDecision.fromCode(decision), transaction, refund, unmatchedPayment, e2eId, paidAt, reason);
    }
}
