package dev.ligeiro.store;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.UuidRepresentation;
import org.bson.codecs.Encoder;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of a stored document, for all stores, and writes a whole one; writes optional values, for the codecs. A missing field is the
 * driver's exception, which names it, if the method does not allow it.
 */
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

    /** A value as it is stored. */
    public static <T> BsonDocument document(Encoder<T> codec, T value) {
        BsonDocument document = new BsonDocument();
        codec.encode(
                new BsonDocumentWriter(document),
                value,
                EncoderContext.builder().build());
        return document;
    }

    static UUID readUuid(BsonReader reader) {
        ByteBuffer bytes = ByteBuffer.wrap(reader.readBinaryData().getData());
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    static void writeIfPresent(BsonWriter writer, String field, @Nullable String value) {
        if (value != null) {
            writer.writeString(field, value);
        }
    }

    static void writeIfPresent(BsonWriter writer, String field, @Nullable Instant value) {
        if (value != null) {
            writer.writeDateTime(field, value.toEpochMilli());
        }
    }

    static void writeIfPresent(BsonWriter writer, String field, @Nullable UUID value) {
        if (value != null) {
            writer.writeBinaryData(field, TransactionCodec.binary(value));
        }
    }

    static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(field + ": missing in a stored transaction");
        }
        return value;
    }
}
