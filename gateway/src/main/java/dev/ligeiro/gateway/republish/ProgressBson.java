package dev.ligeiro.gateway.republish;

import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;

/** The fields of the sweeper's progress in its document: about 80 bytes for an open transaction. */
final class ProgressBson {

    private static final String SETTLED_UNTIL = "settledUntil";
    private static final String OPEN = "open";
    private static final String ID = "id";
    private static final String COPIES = "copies";
    private static final String LAST_AT = "lastAt";

    private ProgressBson() {}

    static BsonDocument write(Progress progress) {
        return new BsonDocument(SETTLED_UNTIL, dateTime(progress.settledUntil()))
                .append(
                        OPEN,
                        new BsonArray(progress.open().stream()
                                .map(ProgressBson::document)
                                .toList()));
    }

    /** The progress in a document; a document of an earlier version has none. */
    static Progress read(BsonDocument document) {
        if (!document.containsKey(SETTLED_UNTIL)) {
            return Progress.NONE;
        }
        return new Progress(
                instant(document, SETTLED_UNTIL),
                document.getArray(OPEN).stream().map(ProgressBson::republished).toList());
    }

    private static BsonDocument document(Republished republished) {
        return new BsonDocument(ID, TransactionCodec.binary(republished.id().value()))
                .append(COPIES, new BsonInt32(republished.copies()))
                .append(LAST_AT, dateTime(republished.lastAt()));
    }

    private static Republished republished(BsonValue value) {
        BsonDocument document = value.asDocument();
        return new Republished(
                new TransactionId(document.getBinary(ID).asUuid(UuidRepresentation.STANDARD)),
                document.getInt32(COPIES).getValue(),
                instant(document, LAST_AT));
    }

    private static BsonDateTime dateTime(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }

    private static Instant instant(BsonDocument document, String field) {
        return Instant.ofEpochMilli(document.getDateTime(field).getValue());
    }
}
