package dev.ligeiro.gateway.operator.search;

import static dev.ligeiro.store.TransactionFields.*;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Tenant;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;

/**
 * What a list of transactions shows of one, without its personal data.
 *
 * @param endToEndId the rail's own once it has named one; {@code ""} before, in live mode
 */
public record FoundTransaction(
        UUID id, Tenant tenant, String operation, String status, Amount amount, String endToEndId) {

    /** Reads the fields of {@link SearchStore#FIELDS}. */
    public static FoundTransaction of(BsonDocument document) {
        return new FoundTransaction(
                document.getBinary(ID).asUuid(UuidRepresentation.STANDARD),
                new Tenant(document.getInt64(TENANT).getValue()),
                document.getString(OPERATION).getValue(),
                document.getString(STATUS).getValue(),
                new Amount(document.getInt64(AMOUNT).getValue()),
                endToEndId(document));
    }

    /** The latest one that the rail has named, otherwise that of the creation: see {@code Transaction#endToEndId}. */
    private static String endToEndId(BsonDocument document) {
        String latest = document.getString(END_TO_END_ID).getValue();
        for (BsonValue entry : document.getArray(HISTORY, new BsonArray())) {
            if (entry.asDocument().containsKey(END_TO_END_ID)) {
                latest = entry.asDocument().getString(END_TO_END_ID).getValue();
            }
        }
        return latest;
    }
}
