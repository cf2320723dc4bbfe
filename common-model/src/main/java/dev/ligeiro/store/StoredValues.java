package dev.ligeiro.store;

import java.time.Instant;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;

/** Reads values of a stored document. A missing field is the driver's exception, which names it, if the method does not allow it. */
public final class StoredValues {

    private StoredValues() {}

    public static UUID uuid(BsonDocument document, String field) {
        return document.getBinary(field).asUuid(UuidRepresentation.STANDARD);
    }

    public static Instant instant(BsonDocument document, String field) {
        return Instant.ofEpochMilli(document.getDateTime(field).getValue());
    }

    public static String text(BsonDocument document, String field) {
        return document.getString(field).getValue();
    }

    /** Null if the field is missing. */
    public static @Nullable Instant optionalInstant(BsonDocument document, String field) {
        return document.containsKey(field) ? instant(document, field) : null;
    }

    /** Null if the field is missing. */
    public static @Nullable String optionalText(BsonDocument document, String field) {
        return document.containsKey(field) ? text(document, field) : null;
    }
}
