package dev.ligeiro.store;

import static dev.ligeiro.store.DeliveryFields.*;
import static dev.ligeiro.store.StoredValues.writeIfPresent;
import static java.util.Objects.requireNonNull;

import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonWriter;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/** Converts a delivery to BSON and back, by {@link StoredDelivery}. Null fields are omitted; a delivered one takes about 230 bytes. */
public final class DeliveryCodec implements Codec<Delivery> {

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    @Override
    public Class<Delivery> getEncoderClass() {
        return Delivery.class;
    }

    @Override
    public void encode(BsonWriter writer, Delivery delivery, EncoderContext context) {
        writer.writeStartDocument();
        writer.writeBinaryData(ID, binary(delivery.id()));
        writer.writeBinaryData(ENDPOINT, TransactionCodec.binary(delivery.id().endpointId()));
        writer.writeString(EVENT_TYPE, delivery.eventType());
        writer.writeDateTime(EVENT_AT, delivery.eventAt().toEpochMilli());
        writer.writeString(STATUS, delivery.status().code());
        writer.writeStartArray(ATTEMPTS);
        delivery.attempts().forEach(attempt -> writeAttempt(writer, attempt));
        writer.writeEndArray();
        writeResponses(writer, delivery.attempts());
        writeIfPresent(writer, NEXT_ATTEMPT_AT, delivery.nextAttemptAt());
        writeIfPresent(writer, ENDED_AT, delivery.endedAt());
        if (delivery.body() != null) {
            writer.writeBinaryData(BODY, new BsonBinary(delivery.body()));
        }
        writeIfPresent(writer, REQUEST_ID, delivery.origin().requestId());
        writeIfPresent(writer, TRACE_PARENT, delivery.origin().traceParent());
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

    private static void writeResponses(BsonWriter writer, List<Attempt> attempts) {
        List<BsonDocument> kept = attempts.stream()
                .filter(attempt -> attempt.response() != null)
                .map(DeliveryCodec::response)
                .toList();
        if (!kept.isEmpty()) {
            writer.writeStartArray(RESPONSES);
            kept.subList(Math.max(0, kept.size() - RESPONSES_MAX), kept.size())
                    .forEach(each -> DOCUMENTS.encode(
                            writer, each, EncoderContext.builder().build()));
            writer.writeEndArray();
        }
    }

    /** The response of an attempt that has one, as in {@link #encode}, for updates that push it. */
    public static BsonDocument response(Attempt attempt) {
        return new BsonDocument(AT, new BsonDateTime(attempt.at().toEpochMilli()))
                .append(TEXT, new BsonString(requireNonNull(attempt.response())));
    }

    /** The document of an attempt, as in {@link #encode}, for updates that push an attempt. */
    public static BsonDocument document(Attempt attempt) {
        BsonDocument document = new BsonDocument();
        writeAttempt(new BsonDocumentWriter(document), attempt);
        return document;
    }

    public static BsonBinary binary(DeliveryId id) {
        return new BsonBinary(id.bytes());
    }

    /** The condition of one delivery; it names the shard key too. */
    public static BsonDocument filter(DeliveryId id) {
        return new BsonDocument(ID, binary(id)).append(ENDPOINT, TransactionCodec.binary(id.endpointId()));
    }

    public static BsonDocument filter(Collection<DeliveryId> ids) {
        return new BsonDocument(ID, in(ids.stream().map(DeliveryCodec::binary)))
                .append(
                        ENDPOINT,
                        in(ids.stream().map(DeliveryId::endpointId).distinct().map(TransactionCodec::binary)));
    }

    /**
     * The range of the ids of an endpoint's deliveries; they are in the order of their transactions.
     *
     * @param transaction only those of its events; null for all
     * @param before only the ids below this one; null for all
     */
    public static BsonDocument range(
            UUID endpointId, @Nullable TransactionId transaction, @Nullable DeliveryId before) {
        BsonDocument range = new BsonDocument("$gte", bound(endpointId, transaction, (byte) 0))
                .append("$lte", bound(endpointId, transaction, (byte) 0xFF));
        return before == null ? range : range.append("$lt", binary(before));
    }

    /** All ids have the same length, so MongoDB compares their bytes: the endpoint's id, the transaction's if there is one, then the filler. */
    private static BsonBinary bound(UUID endpointId, @Nullable TransactionId transaction, byte filler) {
        byte[] bytes = new byte[DeliveryId.LENGTH];
        Arrays.fill(bytes, filler);
        ByteBuffer start = ByteBuffer.wrap(bytes)
                .putLong(endpointId.getMostSignificantBits())
                .putLong(endpointId.getLeastSignificantBits());
        if (transaction != null) {
            start.putLong(transaction.value().getMostSignificantBits())
                    .putLong(transaction.value().getLeastSignificantBits());
        }
        return new BsonBinary(bytes);
    }

    private static BsonDocument in(Stream<BsonBinary> values) {
        return new BsonDocument("$in", new BsonArray(values.toList()));
    }

    /** @throws RuntimeException if a field is missing or has a value that this version does not know */
    @Override
    public Delivery decode(BsonReader reader, DecoderContext context) {
        return StoredDelivery.read(DOCUMENTS.decode(reader, context)).delivery();
    }
}
