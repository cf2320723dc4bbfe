package dev.ligeiro.store;

import static dev.ligeiro.store.LaneFields.*;
import static dev.ligeiro.store.StoredValues.*;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.Lane.Lease;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/** Converts a lane to BSON and back. Null fields and zeros are omitted. */
public final class LaneCodec implements Codec<Lane> {

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
    private static final BsonInt32 ZERO = new BsonInt32(0);

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
        writeIfPresent(writer, SLOW_UNTIL, lane.slowUntil());
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
        writeIfPresent(writer, OPEN_UNTIL, health.openUntil());
        writeIfPresent(writer, FAILING_SINCE, health.failingSince());
    }

    /** @throws RuntimeException if a field is missing or of another type */
    @Override
    public Lane decode(BsonReader reader, DecoderContext context) {
        return read(DOCUMENTS.decode(reader, context));
    }

    /** @throws RuntimeException if a field is missing or of another type */
    public static Lane read(BsonDocument lane) {
        return new Lane(
                uuid(lane, ID),
                new Tenant(lane.getInt64(TENANT).getValue()),
                instant(lane, DUE_AT),
                lane.containsKey(CLAIM) && lane.containsKey(LEASE_UNTIL)
                        ? new Lease(uuid(lane, CLAIM), instant(lane, LEASE_UNTIL))
                        : null,
                new Health(
                        lane.getInt32(FAILURES, ZERO).getValue(),
                        lane.getInt32(OPENINGS, ZERO).getValue(),
                        optionalInstant(lane, OPEN_UNTIL),
                        optionalInstant(lane, FAILING_SINCE)),
                optionalInstant(lane, SLOW_UNTIL),
                lane.getInt64(MARKS).getValue());
    }
}
