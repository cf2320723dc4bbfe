package dev.ligeiro.desk.transaction;

import static dev.ligeiro.store.TransactionFields.*;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.mongodb.client.model.Projections;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * What a list of transactions shows of one, without its personal data.
 *
 * @param endToEndId the rail's own once it has named one; {@code ""} before, in live mode
 */
public record FoundTransaction(
        UUID id, Tenant tenant, String operation, String status, Amount amount, String endToEndId) {

    public static final Comparator<FoundTransaction> NEWEST_FIRST = Comparator.comparing(
                    (FoundTransaction one) -> new TransactionId(one.id))
            .reversed();

    /** The fields that {@link #of(BsonDocument)} reads. */
    public static final Bson FIELDS =
            Projections.include(TENANT, OPERATION, STATUS, AMOUNT, END_TO_END_ID, HISTORY + "." + END_TO_END_ID);

    public static FoundTransaction of(BsonDocument document) {
        return new FoundTransaction(
                StoredValues.uuid(document, ID),
                new Tenant(document.getInt64(TENANT).getValue()),
                StoredValues.text(document, OPERATION),
                StoredValues.text(document, STATUS),
                new Amount(document.getInt64(AMOUNT).getValue()),
                endToEndId(document));
    }

    /** The latest one that the rail has named, otherwise that of the creation: see {@code Transaction#endToEndId}. */
    private static String endToEndId(BsonDocument document) {
        String latest = StoredValues.text(document, END_TO_END_ID);
        for (BsonValue entry : document.getArray(HISTORY, new BsonArray())) {
            if (entry.asDocument().containsKey(END_TO_END_ID)) {
                latest = StoredValues.text(entry.asDocument(), END_TO_END_ID);
            }
        }
        return latest;
    }

    /** The members that every list of transactions has ({@code @JsonUnwrapped}). */
    public record Json(
            UUID id,
            @JsonUnwrapped NamedMerchant merchant,
            Mode mode,
            String operation,
            String status,
            Amount amount,
            String e2eId,
            Instant createdAt) {}

    public Json json(NamedMerchant merchant) {
        return new Json(
                id, merchant, tenant.mode(), operation, status, amount, endToEndId, new TransactionId(id).createdAt());
    }
}
