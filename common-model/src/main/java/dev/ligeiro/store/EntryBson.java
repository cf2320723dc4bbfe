package dev.ligeiro.store;

import static dev.ligeiro.store.TransactionCodec.binary;
import static dev.ligeiro.store.TransactionCodec.readUuid;
import static dev.ligeiro.store.TransactionCodec.required;
import static dev.ligeiro.store.TransactionCodec.writeIfPresent;
import static dev.ligeiro.store.TransactionFields.*;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** Entries of the history in BSON, for whole transactions and for updates that push an entry. */
public final class EntryBson {

    private static final String REFUND_REQUESTED = "refund_requested";
    private static final String REFUND_MADE = "refund_made";
    private static final String REFUND_FAILED = "refund_failed";
    private static final String CHANGE_REFUSED = "change_refused";

    private EntryBson() {}

    /** Writes {@code entry} as a document. */
    public static void write(BsonWriter writer, Entry entry) {
        writer.writeStartDocument();
        if (entry instanceof Entry.StatusChanged changed) {
            writeChanged(writer, changed);
        } else if (entry instanceof Entry.RefundRequested requested) {
            writeRequested(writer, requested);
        } else if (entry instanceof Entry.RefundMade made) {
            writer.writeString(KIND, REFUND_MADE);
            writer.writeBinaryData(REFUND, binary(made.refund().value()));
            writer.writeBoolean(COMPLETES, made.completes());
            writeResolution(writer, made.resolution());
        } else if (entry instanceof Entry.RefundFailed failed) {
            writer.writeString(KIND, REFUND_FAILED);
            writer.writeBinaryData(REFUND, binary(failed.refund().value()));
            writer.writeString(REASON, failed.reason());
            writeResolution(writer, failed.resolution());
        } else if (entry instanceof Entry.ChangeRefused refused) {
            writer.writeString(KIND, CHANGE_REFUSED);
            writer.writeBinaryData(CHANGE, binary(refused.changeId()));
            writer.writeString(REASON, refused.code());
        }
        writeRequester(writer, entry.by());
        writer.writeDateTime(AT, entry.at().toEpochMilli());
        writer.writeEndDocument();
    }

    /** Writes the fields of {@code by}, which may be null, into the present document. */
    static void writeRequester(BsonWriter writer, @Nullable Requester by) {
        if (by != null) {
            writer.writeBinaryData(BY, binary(by.key()));
            if (by.session() != null) {
                writer.writeBinaryData(SESSION, binary(by.session()));
            }
        }
    }

    private static void writeResolution(BsonWriter writer, @Nullable UUID resolution) {
        if (resolution != null) {
            writer.writeBinaryData(RESOLUTION, binary(resolution));
        }
    }

    private static void writeChanged(BsonWriter writer, Entry.StatusChanged changed) {
        writer.writeString(STATUS, changed.status().code());
        writer.writeString(SOURCE, changed.source().code());
        writeIfPresent(writer, REASON, changed.reason());
        if (changed.settlement() != null) {
            writer.writeString(END_TO_END_ID, changed.settlement().endToEndId());
            writer.writeDateTime(SETTLED_AT, changed.settlement().at().toEpochMilli());
        }
        if (changed.change() != null) {
            writer.writeBinaryData(CHANGE, binary(changed.change().id()));
            writeIfPresent(writer, KEY, changed.change().idempotencyKey());
        }
        writeIfPresent(writer, DESCRIPTION, changed.description());
    }

    private static void writeRequested(BsonWriter writer, Entry.RefundRequested requested) {
        writer.writeString(KIND, REFUND_REQUESTED);
        writer.writeBinaryData(REFUND, binary(requested.refund().value()));
        writer.writeInt64(AMOUNT, requested.amount().cents());
        writer.writeString(SOURCE, requested.source().code());
        writeIfPresent(writer, REFERENCE, requested.reference());
        writeIfPresent(writer, DESCRIPTION, requested.description());
        writeIfPresent(writer, KEY, requested.idempotencyKey());
    }

    /** Reads the document at the reader's position. */
    static Entry read(BsonReader reader) {
        Draft draft = new Draft();
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            draft.readField(reader);
        }
        reader.readEndDocument();
        return draft.entry();
    }

    /** The fields read so far. */
    private static final class Draft {

        private @Nullable String kind;
        private @Nullable Status status;
        private @Nullable Instant at;
        private @Nullable Source source;
        private @Nullable String reason;
        private @Nullable String endToEndId;
        private @Nullable Instant settledAt;
        private @Nullable UUID change;
        private @Nullable String key;
        private @Nullable UUID by;
        private @Nullable UUID session;
        private @Nullable UUID refund;
        private @Nullable UUID resolution;
        private @Nullable Amount amount;
        private @Nullable String reference;
        private @Nullable String description;
        private boolean completes;

        private void readField(BsonReader reader) {
            switch (reader.readName()) {
                case KIND -> kind = reader.readString();
                case STATUS -> status = Status.fromCode(reader.readString());
                case AT -> at = Instant.ofEpochMilli(reader.readDateTime());
                case SOURCE -> source = Source.fromCode(reader.readString());
                case REASON -> reason = reader.readString();
                case END_TO_END_ID -> endToEndId = reader.readString();
                case SETTLED_AT -> settledAt = Instant.ofEpochMilli(reader.readDateTime());
                case CHANGE -> change = readUuid(reader);
                case KEY -> key = reader.readString();
                case BY -> by = readUuid(reader);
                case SESSION -> session = readUuid(reader);
                case REFUND -> refund = readUuid(reader);
                case RESOLUTION -> resolution = readUuid(reader);
                case AMOUNT -> amount = new Amount(reader.readInt64());
                case REFERENCE -> reference = reader.readString();
                case DESCRIPTION -> description = reader.readString();
                case COMPLETES -> completes = reader.readBoolean();
                default -> reader.skipValue();
            }
        }

        private Entry entry() {
            Instant time = required(AT, at);
            if (kind == null) {
                return new Entry.StatusChanged(
                        required(STATUS, status),
                        time,
                        required(SOURCE, source),
                        reason,
                        settlement(),
                        changeRef(),
                        description);
            }
            return switch (kind) {
                case REFUND_REQUESTED ->
                    new Entry.RefundRequested(
                            refundId(),
                            required(AMOUNT, amount),
                            required(SOURCE, source),
                            reference,
                            description,
                            time,
                            key,
                            requester());
                case REFUND_MADE -> new Entry.RefundMade(refundId(), completes, time, resolution);
                case REFUND_FAILED -> new Entry.RefundFailed(refundId(), required(REASON, reason), time, resolution);
                case CHANGE_REFUSED ->
                    new Entry.ChangeRefused(required(CHANGE, change), required(REASON, reason), time, requester());
                default -> throw new IllegalStateException(kind + ": unknown kind of a stored history entry");
            };
        }

        private @Nullable Settlement settlement() {
            return endToEndId == null ? null : new Settlement(endToEndId, required(SETTLED_AT, settledAt));
        }

        private @Nullable ChangeRef changeRef() {
            return change == null ? null : new ChangeRef(change, key, requester());
        }

        private @Nullable Requester requester() {
            return by == null ? null : new Requester(by, session);
        }

        private RefundId refundId() {
            return new RefundId(required(REFUND, refund));
        }
    }
}
