package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.UuidV7;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a stored transaction by which lists filter.
 *
 * @param name the words of the payer's name, see {@link NameWords}
 */
record ListRow(
        UUID id,
        Status status,
        UUID platform,
        List<String> name,
        String phone,
        String document,
        @Nullable String pixKey) {

    /** Fields that a query must project. */
    static final List<String> FIELDS = List.of(
            TransactionFields.ID,
            TransactionFields.STATUS,
            TransactionFields.PLATFORM,
            TransactionFields.PAYER,
            TransactionFields.PIX_KEY);

    static ListRow of(BsonDocument stored) {
        BsonDocument payer = stored.getDocument(TransactionFields.PAYER);
        BsonDocument pixKey = stored.getDocument(TransactionFields.PIX_KEY, null);
        return new ListRow(
                stored.getBinary(TransactionFields.ID).asUuid(),
                Status.fromCode(stored.getString(TransactionFields.STATUS).getValue()),
                stored.getBinary(TransactionFields.PLATFORM).asUuid(),
                NameWords.of(payer.getString(TransactionFields.NAME).getValue()),
                payer.getString(TransactionFields.PHONE).getValue(),
                payer.getString(TransactionFields.DOCUMENT).getValue(),
                pixKey == null
                        ? null
                        : pixKey.getString(TransactionFields.VALUE).getValue());
    }

    long createdMilli() {
        return UuidV7.epochMilli(id);
    }

    /** Hides the fields: most are personal data. */
    @Override
    public String toString() {
        return "ListRow[" + id + "]";
    }
}
