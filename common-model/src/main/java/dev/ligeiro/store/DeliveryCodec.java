package dev.ligeiro.store;

import static dev.ligeiro.store.DeliveryFields.*;

import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
public final class DeliveryCodec implements Codec<Delivery> {

    @Override
    public Class<Delivery> getEncoderClass() {
        return Delivery.class;
    }

    @Override
    public void encode(BsonWriter writer, Delivery delivery, EncoderContext context) {
        writer.writeStartDocument();
        writer.writeBinaryData(ID, binary(delivery.id()));
        if (delivery.status() == DeliveryStatus.SCHEDULED) {
            writer.writeBinaryData(
                    ENDPOINT, TransactionCodec.binary(delivery.id().endpointId()));
        }
        writer.writeString(EVENT_TYPE, delivery.eventType());
        writer.writeDateTime(EVENT_AT, delivery.eventAt().toEpochMilli());
        writer.writeString(STATUS, delivery.status().code());
        writer.writeStartArray(ATTEMPTS);
        delivery.attempts().forEach(attempt -> writeAttempt(writer, attempt));
        writer.writeEndArray();
        writeIfPresent(writer, NEXT_ATTEMPT_AT, delivery.nextAttemptAt());
        writeIfPresent(writer, ENDED_AT, delivery.endedAt());
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

    static void writeIfPresent(BsonWriter writer, String field, @Nullable Instant time) {
        if (time != null) {
            writer.writeDateTime(field, time.toEpochMilli());
        }
    }

    /** The document of an attempt, as in {@link #encode}, for updates that push an attempt. */
    public static BsonDocument document(Attempt attempt) {
        BsonDocument document = new BsonDocument(
                        AT, new BsonDateTime(attempt.at().toEpochMilli()))
                .append(OUTCOME, new BsonString(attempt.outcome().code()));
        if (attempt.statusCode() != null) {
            document.append(STATUS_CODE, new BsonInt32(attempt.statusCode()));
        }
        return document.append(DURATION_MS, new BsonInt64(attempt.duration().toMillis()));
    }

    public static BsonBinary binary(DeliveryId id) {
        return new BsonBinary(id.bytes());
    }

    /** @throws RuntimeException if a field is missing or has a value that this version does not know */
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
            case EVENT_TYPE -> draft.eventType = reader.readString();
            case EVENT_AT -> draft.eventAt = Instant.ofEpochMilli(reader.readDateTime());
            case STATUS -> draft.status = DeliveryStatus.fromCode(reader.readString());
            case ATTEMPTS -> draft.attempts = readAttempts(reader);
            case NEXT_ATTEMPT_AT -> draft.nextAttemptAt = Instant.ofEpochMilli(reader.readDateTime());
            case ENDED_AT -> draft.endedAt = Instant.ofEpochMilli(reader.readDateTime());
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
        return attempts;
    }

    private static Attempt readAttempt(BsonReader reader) {
        Instant at = null;
        AttemptOutcome outcome = null;
        Integer statusCode = null;
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
        return new Attempt(required(AT, at), required(OUTCOME, outcome), statusCode, duration);
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(field + ": missing in a stored delivery");
        }
        return value;
    }

    /** The fields read so far. */
    private static final class Draft {

        private @Nullable DeliveryId id;
        private @Nullable String eventType;
        private @Nullable Instant eventAt;
        private @Nullable DeliveryStatus status;
        private List<Attempt> attempts = List.of();
        private @Nullable Instant nextAttemptAt;
        private @Nullable Instant endedAt;
        private byte @Nullable [] body;

        private Delivery delivery() {
            return new Delivery(
                    required(ID, id),
                    required(EVENT_TYPE, eventType),
                    required(EVENT_AT, eventAt),
                    required(STATUS, status),
                    attempts,
                    nextAttemptAt,
                    endedAt,
                    body);
        }
    }
}
