package dev.ligeiro.desk.money;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.ResolutionDecision;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;

/**
 * An operators' decision as it is stored and shown; {@link ResolutionFields} has the fields that processors read.
 *
 * @param open what it is about, until it has ended; then null
 * @param tenant in whose books the money is
 * @param decidedBy who has confirmed or withdrawn it; null before
 */
@Document(CollectionNames.RESOLUTIONS)
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

    Proposal proposal() {
        return new Proposal(
                Codes.get(ResolutionDecision.class, decision),
                transaction,
                refund,
                unmatchedPayment,
                e2eId,
                paidAt,
                null,
                reason);
    }
}
