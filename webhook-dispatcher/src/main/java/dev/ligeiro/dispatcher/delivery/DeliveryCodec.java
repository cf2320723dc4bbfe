package dev.ligeiro.dispatcher.delivery;

import static dev.ligeiro.dispatcher.delivery.DeliveryFields.*;

import dev.ligeiro.message.EventType;
import dev.ligeiro.store.TransactionCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/** Converts a delivery to BSON and back. Null fields are omitted; a delivered one takes about 200 bytes. */
final class DeliveryCodec implements Codec<Delivery> {

    @Override
    public Class<Delivery> getEncoderClass() {
        return Delivery.class;
    }

    @Override
    public void encode(BsonWriter writer, Delivery delivery, EncoderContext context) {
        writer.writeStartDocument();
        writer.writeBinaryData(ID, binary(delivery.id()));
        writer.writeString(EVENT_TYPE, delivery.eventType().code());
        writer.writeDateTime(EVENT_AT, delivery.eventAt().toEpochMilli());
        writer.writeDateTime(CREATED_AT, delivery.createdAt().toEpochMilli());
        writer.writeString(STATUS, delivery.status().code());
        writer.writeStartArray(ATTEMPTS);
        delivery.attempts().forEach(attempt -> writeAttempt(writer, attempt));
        writer.writeEndArray();
        if (delivery.nextAttemptAt() != null) {
            writer.writeDateTime(NEXT_ATTEMPT_AT, delivery.nextAttemptAt().toEpochMilli());
        }
        if (delivery.claim() != null) {
            writer.writeBinaryData(CLAIM, TransactionCodec.binary(delivery.claim()));
        }
        if (delivery.body() != null) {
            writer.writeBinaryData(BODY, new BsonBinary(delivery.body()));
        }
        writer.writeEndDocument();
    }

    private static void writeAttempt(BsonWriter writer, Attempt attempt) {
        writer.writeStartDocument();
        writer.writeDateTime(AT, attempt.at().toEpochMilli());
        writer.writeString(OUTCOME, attempt.outcome().code());
        if (attempt.statusCode() != null) {
            writer.writeInt32(STATUS_CODE, attempt.statusCode());
        }
        writer.writeInt64(DURATION_MS, attempt.duration().toMillis());
        writer.writeEndDocument();
    }

    /** The document of an attempt, as in {@link #encode}, for updates that push an attempt. */
    static BsonDocument document(Attempt attempt) {
        BsonDocument document = new BsonDocument(
                        AT, new BsonDateTime(attempt.at().toEpochMilli()))
                .append(OUTCOME, new BsonString(attempt.outcome().code()));
        if (attempt.statusCode() != null) {
            document.append(STATUS_CODE, new BsonInt32(attempt.statusCode()));
        }
        return document.append(DURATION_MS, new BsonInt64(attempt.duration().toMillis()));
    }

    static BsonBinary binary(DeliveryId id) {
        return new BsonBinary(id.bytes());
    }

    @Override
    public Delivery decode(BsonReader reader, DecoderContext context) {
        Draft draft = new Draft();
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            readField(reader, draft);
        }
        reader.readEndDocument();
        return draft.delivery();
    }

    private static void readField(BsonReader reader, Draft draft) {
        switch (reader.readName()) {
            case ID -> draft.id = DeliveryId.of(reader.readBinaryData().getData());
            case EVENT_TYPE ->
                draft.eventType = EventType.findByCode(reader.readString()).orElse(null);
            case EVENT_AT -> draft.eventAt = Instant.ofEpochMilli(reader.readDateTime());
            case CREATED_AT -> draft.createdAt = Instant.ofEpochMilli(reader.readDateTime());
            case STATUS -> draft.status = DeliveryStatus.fromCode(reader.readString());
            case ATTEMPTS -> draft.attempts = readAttempts(reader);
            case NEXT_ATTEMPT_AT -> draft.nextAttemptAt = Instant.ofEpochMilli(reader.readDateTime());
            case CLAIM -> draft.claim = readUuid(reader);
            case BODY -> draft.body = reader.readBinaryData().getData();
            default -> reader.skipValue();
        }
    }

    private static List<Attempt> readAttempts(BsonReader reader) {
        List<Attempt> attempts = new ArrayList<>();
        reader.readStartArray();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            attempts.add(readAttempt(reader));
        }
        reader.readEndArray();
        return List.copyOf(attempts);
    }

    private static Attempt readAttempt(BsonReader reader) {
        Instant at = Instant.EPOCH;
        AttemptOutcome outcome = AttemptOutcome.REJECTED;
        @Nullable Integer statusCode = null;
        Duration duration = Duration.ZERO;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case AT -> at = Instant.ofEpochMilli(reader.readDateTime());
                case OUTCOME -> outcome = AttemptOutcome.fromCode(reader.readString());
                case STATUS_CODE -> statusCode = reader.readInt32();
                case DURATION_MS -> duration = Duration.ofMillis(reader.readInt64());
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new Attempt(at, outcome, statusCode, duration);
    }

    private static UUID readUuid(BsonReader reader) {
        ByteBuffer bytes = ByteBuffer.wrap(reader.readBinaryData().getData());
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** The fields read so far. */
    private static final class Draft {

        private @Nullable DeliveryId id;
        private @Nullable EventType eventType;
        private @Nullable Instant eventAt;
        private @Nullable Instant createdAt;
        private @Nullable DeliveryStatus status;
        private List<Attempt> attempts = List.of();
        private @Nullable Instant nextAttemptAt;
        private @Nullable UUID claim;
        private byte @Nullable [] body;

        private Delivery delivery() {
            return new Delivery(
                    required(ID, id),
                    required(EVENT_TYPE, eventType),
                    required(EVENT_AT, eventAt),
                    required(CREATED_AT, createdAt),
                    required(STATUS, status),
                    attempts,
                    nextAttemptAt,
                    claim,
                    body);
        }

        private static <T> T required(String field, @Nullable T value) {
            if (value == null) {
                throw new IllegalStateException(field + ": missing in a stored delivery");
            }
            return value;
        }
    }
}
