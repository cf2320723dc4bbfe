package dev.ligeiro.store;

import static dev.ligeiro.store.TransactionCodec.binary;
import static dev.ligeiro.store.TransactionCodec.readUuid;
import static dev.ligeiro.store.TransactionCodec.required;
import static dev.ligeiro.store.TransactionCodec.writeIfPresent;
import static dev.ligeiro.store.TransactionFields.*;

import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Resolution;
import dev.ligeiro.transaction.Settlement;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** Rail calls in BSON, for whole transactions and for updates that set them. */
public final class RailCallBson {

    private RailCallBson() {}

    /** Writes {@code call} as a document. */
    public static void write(BsonWriter writer, RailCall call) {
        writer.writeStartDocument();
        if (call.refund() != null) {
            writer.writeBinaryData(REFUND, binary(call.refund().value()));
        }
        writer.writeInt32(SUBMISSIONS, call.submissions());
        writer.writeBoolean(BEGUN, call.begun());
        if (call.acknowledged()) {
            writer.writeBoolean(ACKNOWLEDGED, true);
        }
        writer.writeDateTime(SINCE, call.since().toEpochMilli());
        if (call.reportedAt() != null) {
            writer.writeDateTime(REPORTED_AT, call.reportedAt().toEpochMilli());
        }
        writer.writeInt32(INQUIRIES, call.inquiries());
        writeIfPresent(writer, REJECTION, call.rejection());
        if (call.cancel() != null) {
            writer.writeBinaryData(CHANGE, binary(call.cancel().id()));
            writeIfPresent(writer, KEY, call.cancel().idempotencyKey());
            EntryBson.writeRequester(writer, call.cancel().by());
        }
        if (call.resolution() != null) {
            writeResolution(writer, call.resolution());
        }
        writer.writeDateTime(DUE, call.dueAt().toEpochMilli());
        if (call.secret() != null) {
            writer.writeBinaryData(SECRET, binary(call.secret()));
        }
        writer.writeEndDocument();
    }

    private static void writeResolution(BsonWriter writer, Resolution resolution) {
        writer.writeStartDocument(RESOLUTION);
        writer.writeBinaryData(ID, binary(resolution.id()));
        writer.writeBoolean(MOVED, resolution.moved());
        if (resolution.settlement() != null) {
            writer.writeString(END_TO_END_ID, resolution.settlement().endToEndId());
            writer.writeDateTime(SETTLED_AT, resolution.settlement().at().toEpochMilli());
        }
        writer.writeDateTime(AT, resolution.at().toEpochMilli());
        writer.writeEndDocument();
    }

    private static Resolution readResolution(BsonReader reader) {
        @Nullable UUID id = null;
        boolean moved = false;
        @Nullable String endToEndId = null;
        @Nullable Instant settledAt = null;
        @Nullable Instant at = null;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case ID -> id = readUuid(reader);
                case MOVED -> moved = reader.readBoolean();
                case END_TO_END_ID -> endToEndId = reader.readString();
                case SETTLED_AT -> settledAt = Instant.ofEpochMilli(reader.readDateTime());
                case AT -> at = Instant.ofEpochMilli(reader.readDateTime());
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new Resolution(
                required(ID, id),
                moved,
                endToEndId == null ? null : new Settlement(endToEndId, required(SETTLED_AT, settledAt)),
                required(AT, at));
    }

    /** Reads the document at the reader's position. */
    static RailCall read(BsonReader reader) {
        @Nullable RefundId refund = null;
        int submissions = 1;
        boolean begun = true;
        boolean acknowledged = false;
        @Nullable Instant since = null;
        @Nullable Instant reportedAt = null;
        int inquiries = 0;
        @Nullable String rejection = null;
        @Nullable UUID change = null;
        @Nullable String key = null;
        @Nullable UUID by = null;
        @Nullable UUID session = null;
        @Nullable Resolution resolution = null;
        @Nullable Instant dueAt = null;
        @Nullable UUID secret = null;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case REFUND -> refund = new RefundId(readUuid(reader));
                case SUBMISSIONS -> submissions = reader.readInt32();
                case BEGUN -> begun = reader.readBoolean();
                case ACKNOWLEDGED -> acknowledged = reader.readBoolean();
                case SINCE -> since = Instant.ofEpochMilli(reader.readDateTime());
                case REPORTED_AT -> reportedAt = Instant.ofEpochMilli(reader.readDateTime());
                case INQUIRIES -> inquiries = reader.readInt32();
                case REJECTION -> rejection = reader.readString();
                case CHANGE -> change = readUuid(reader);
                case KEY -> key = reader.readString();
                case BY -> by = readUuid(reader);
                case SESSION -> session = readUuid(reader);
                case RESOLUTION -> resolution = readResolution(reader);
                case DUE -> dueAt = Instant.ofEpochMilli(reader.readDateTime());
                case SECRET -> secret = readUuid(reader);
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new RailCall(
                refund,
                submissions,
                begun,
                acknowledged,
                required(SINCE, since),
                reportedAt,
                inquiries,
                rejection,
                change == null ? null : new ChangeRef(change, key, by == null ? null : new Requester(by, session)),
                resolution,
                required(DUE, dueAt),
                secret);
    }
}
