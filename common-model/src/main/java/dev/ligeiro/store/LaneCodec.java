package dev.ligeiro.store;

import static dev.ligeiro.store.LaneFields.*;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.Lane.Lease;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/** Converts a lane to BSON and back. Null fields and zeros are omitted. */
public final class LaneCodec implements Codec<Lane> {

    @Override
    public Class<Lane> getEncoderClass() {
        return Lane.class;
    }

    @Override
    public void encode(BsonWriter writer, Lane lane, EncoderContext context) {
        writer.writeStartDocument();
        writer.writeBinaryData(ID, TransactionCodec.binary(lane.endpointId()));
        writer.writeInt64(TENANT, lane.tenant().key());
        writer.writeDateTime(DUE_AT, lane.dueAt().toEpochMilli());
        if (lane.lease() != null) {
            writer.writeBinaryData(CLAIM, TransactionCodec.binary(lane.lease().claim()));
            writer.writeDateTime(LEASE_UNTIL, lane.lease().until().toEpochMilli());
        }
        writeHealth(writer, lane.health());
        DeliveryCodec.writeIfPresent(writer, SLOW_UNTIL, lane.slowUntil());
        writer.writeInt64(MARKS, lane.marks());
        writer.writeEndDocument();
    }

    private static void writeHealth(BsonWriter writer, Health health) {
        if (health.failures() > 0) {
            writer.writeInt32(FAILURES, health.failures());
        }
        if (health.openings() > 0) {
            writer.writeInt32(OPENINGS, health.openings());
        }
        DeliveryCodec.writeIfPresent(writer, OPEN_UNTIL, health.openUntil());
        DeliveryCodec.writeIfPresent(writer, FAILING_SINCE, health.failingSince());
    }

    @Override
    public Lane decode(BsonReader reader, DecoderContext context) {
        Draft draft = new Draft();
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            readField(reader, draft);
        }
        reader.readEndDocument();
        return draft.lane();
    }

    private static void readField(BsonReader reader, Draft draft) {
        switch (reader.readName()) {
            case ID -> draft.endpointId = TransactionCodec.readUuid(reader);
            case TENANT -> draft.tenant = new Tenant(reader.readInt64());
            case DUE_AT -> draft.dueAt = Instant.ofEpochMilli(reader.readDateTime());
            case CLAIM -> draft.claim = TransactionCodec.readUuid(reader);
            case LEASE_UNTIL -> draft.leaseUntil = Instant.ofEpochMilli(reader.readDateTime());
            case FAILURES -> draft.failures = reader.readInt32();
            case OPENINGS -> draft.openings = reader.readInt32();
            case OPEN_UNTIL -> draft.openUntil = Instant.ofEpochMilli(reader.readDateTime());
            case FAILING_SINCE -> draft.failingSince = Instant.ofEpochMilli(reader.readDateTime());
            case SLOW_UNTIL -> draft.slowUntil = Instant.ofEpochMilli(reader.readDateTime());
            case MARKS -> draft.marks = reader.readInt64();
            default -> reader.skipValue();
        }
    }

    /** The fields read so far. */
    private static final class Draft {

        private @Nullable UUID endpointId;
        private @Nullable Tenant tenant;
        private @Nullable Instant dueAt;
        private @Nullable UUID claim;
        private @Nullable Instant leaseUntil;
        private int failures;
        private int openings;
        private @Nullable Instant openUntil;
        private @Nullable Instant failingSince;
        private @Nullable Instant slowUntil;
        private long marks;

        private Lane lane() {
            return new Lane(
                    required(ID, endpointId),
                    required(TENANT, tenant),
                    required(DUE_AT, dueAt),
                    claim == null || leaseUntil == null ? null : new Lease(claim, leaseUntil),
                    new Health(failures, openings, openUntil, failingSince),
                    slowUntil,
                    marks);
        }

        private static <T> T required(String field, @Nullable T value) {
            if (value == null) {
                throw new IllegalStateException(field + ": missing in a stored lane");
            }
            return value;
        }
    }
}
