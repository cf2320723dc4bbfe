package dev.ligeiro.store;

import static dev.ligeiro.store.StoredValues.readUuid;
import static dev.ligeiro.store.StoredValues.required;
import static dev.ligeiro.store.StoredValues.writeIfPresent;
import static dev.ligeiro.store.TransactionCodec.binary;
import static dev.ligeiro.store.TransactionFields.*;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Resolution;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** Entries of the history and rail calls in BSON, for whole transactions and for updates that push or set one. */
public final class TransactionParts {

    private static final String REFUND_REQUESTED = "refund_requested";
    private static final String REFUND_MADE = "refund_made";
    private static final String REFUND_FAILED = "refund_failed";
    private static final String CHANGE_REFUSED = "change_refused";
    private static final String DISPUTE_OPENED = "dispute_opened";
    private static final String DEFENSE_REQUESTED = "defense_requested";
    private static final String DISPUTE_UPDATED = "dispute_updated";
    private static final String DISPUTE_CLOSED = "dispute_closed";
    private static final String DISPUTE_RELEASED = "dispute_released";
    private static final String PAYER_MISMATCH = "payer_mismatch";
    private static final String PAYER_NAMED = "payer_named";

    private TransactionParts() {}

    public static void write(BsonWriter writer, Entry entry) {
        writer.writeStartDocument();
        if (!(entry instanceof Entry.StatusChanged)) {
            writer.writeString(KIND, entry.kind());
        }
        if (entry instanceof Entry.StatusChanged changed) {
            writer.writeString(STATUS, changed.status().code());
            writer.writeString(SOURCE, changed.source().code());
            writeIfPresent(writer, REASON, changed.reason());
            writeSettlement(writer, changed.settlement());
            writeChange(writer, changed.change());
            writeIfPresent(writer, DESCRIPTION, changed.description());
        } else if (entry instanceof Entry.RefundRequested requested) {
            writer.writeBinaryData(REFUND, binary(requested.refund().value()));
            writer.writeInt64(AMOUNT, requested.amount().cents());
            writer.writeString(SOURCE, requested.source().code());
            writeIfPresent(writer, REFERENCE, requested.reference());
            writeIfPresent(writer, DESCRIPTION, requested.description());
            writeIfPresent(writer, KEY, requested.idempotencyKey());
            writeIfPresent(writer, REASON, requested.reason());
            if (requested.rail() != null) {
                writeIfPresent(writer, NATURE, requested.rail().nature());
                writeIfPresent(writer, RTR_ID, requested.rail().rtrId());
            }
        } else if (entry instanceof Entry.RefundMade made) {
            writer.writeBinaryData(REFUND, binary(made.refund().value()));
            writer.writeBoolean(COMPLETES, made.completes());
            writeIfPresent(writer, RESOLUTION, made.resolution());
        } else if (entry instanceof Entry.RefundFailed failed) {
            writer.writeBinaryData(REFUND, binary(failed.refund().value()));
            writer.writeString(REASON, failed.reason());
            writeIfPresent(writer, RESOLUTION, failed.resolution());
        } else if (entry instanceof Entry.ChangeRefused refused) {
            writer.writeBinaryData(CHANGE, binary(refused.changeId()));
            writer.writeString(REASON, refused.code());
        } else if (entry instanceof Entry.PayerNamed named) {
            writePayer(writer, named.payer());
        } else {
            writeDispute(writer, entry);
        }
        writeRequester(writer, entry.by());
        writer.writeDateTime(AT, entry.at().toEpochMilli());
        writer.writeEndDocument();
    }

    private static void writeDispute(BsonWriter writer, Entry entry) {
        if (entry instanceof Entry.DisputeOpened opened) {
            writer.writeBinaryData(DISPUTE, binary(opened.dispute()));
            writer.writeInt64(AMOUNT, opened.amount().cents());
            writer.writeString(REASON, opened.reason());
            writeIfPresent(writer, SITUATION, opened.situation());
            writeIfPresent(writer, DEADLINE, opened.deadline());
            writer.writeDateTime(OPENED_AT, opened.openedAt().toEpochMilli());
            writer.writeString(RAIL_ID, opened.railId());
            writeIfPresent(writer, PROTOCOL, opened.protocol());
        } else if (entry instanceof Entry.DefenseRequested requested) {
            writer.writeBinaryData(DISPUTE, binary(requested.dispute()));
            writer.writeString(TEXT, requested.text());
            writeChange(writer, requested.change());
        } else if (entry instanceof Entry.DisputeUpdated updated) {
            writer.writeBinaryData(DISPUTE, binary(updated.dispute()));
            writer.writeString(DISPUTE_STATUS, updated.status().code());
            writeIfPresent(writer, DEADLINE, updated.deadline());
            writeIfPresent(writer, CHANGE, updated.defense());
        } else if (entry instanceof Entry.DisputeClosed closed) {
            writer.writeBinaryData(DISPUTE, binary(closed.dispute()));
            writer.writeString(DISPUTE_STATUS, closed.outcome().code());
        } else if (entry instanceof Entry.DisputeReleased released) {
            writer.writeBinaryData(DISPUTE, binary(released.dispute()));
        }
    }

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
        writeIfPresent(writer, REPORTED_AT, call.reportedAt());
        writer.writeInt32(INQUIRIES, call.inquiries());
        writeIfPresent(writer, REJECTION, call.rejection());
        writeChange(writer, call.cancel());
        if (call.cancel() != null) {
            writeRequester(writer, call.cancel().by());
        }
        Resolution resolution = call.resolution();
        if (resolution != null) {
            writer.writeStartDocument(RESOLUTION);
            writer.writeBinaryData(ID, binary(resolution.id()));
            writer.writeBoolean(MOVED, resolution.moved());
            writeSettlement(writer, resolution.settlement());
            writer.writeDateTime(AT, resolution.at().toEpochMilli());
            writer.writeEndDocument();
        }
        writeSettlement(writer, call.reported());
        if (call.checksPayer()) {
            writer.writeBoolean(CHECKS_PAYER, true);
        }
        writer.writeDateTime(DUE, call.dueAt().toEpochMilli());
        writeIfPresent(writer, SECRET, call.secret());
        writer.writeEndDocument();
    }

    private static void writeSettlement(BsonWriter writer, @Nullable Settlement settlement) {
        if (settlement != null) {
            writer.writeString(END_TO_END_ID, settlement.endToEndId());
            writer.writeDateTime(SETTLED_AT, settlement.at().toEpochMilli());
            writePayer(writer, settlement.payer());
        }
    }

    private static void writePayer(BsonWriter writer, @Nullable Payer payer) {
        if (payer != null) {
            writer.writeStartDocument(PAID_BY);
            writeIfPresent(writer, NAME, payer.name());
            writeIfPresent(writer, TAX_ID, payer.taxId());
            writeIfPresent(writer, ISPB, payer.ispb());
            writer.writeEndDocument();
        }
    }

    private static Payer readPayer(BsonReader reader) {
        @Nullable String name = null;
        @Nullable String taxId = null;
        @Nullable String ispb = null;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case NAME -> name = reader.readString();
                case TAX_ID -> taxId = reader.readString();
                case ISPB -> ispb = reader.readString();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new Payer(name, taxId, ispb);
    }

    private static void writeChange(BsonWriter writer, @Nullable ChangeRef change) {
        if (change != null) {
            writer.writeBinaryData(CHANGE, binary(change.id()));
            writeIfPresent(writer, KEY, change.idempotencyKey());
        }
    }

    private static void writeRequester(BsonWriter writer, @Nullable Requester by) {
        if (by != null) {
            writer.writeBinaryData(BY, binary(by.key()));
            writeIfPresent(writer, SESSION, by.session());
        }
    }

    static Entry readEntry(BsonReader reader) {
        return read(reader, new Draft()).entry();
    }

    static RailCall readCall(BsonReader reader) {
        return read(reader, new CallDraft()).call();
    }

    /** Reads the document at the reader's position. */
    private static <D extends Draft> D read(BsonReader reader, D draft) {
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            draft.readField(reader.readName(), reader);
        }
        reader.readEndDocument();
        return draft;
    }

    /** The fields of an entry. */
    private static class Draft {

        private @Nullable String kind;
        private @Nullable Status status;
        protected @Nullable Instant at;
        private @Nullable Source source;
        private @Nullable String reason;
        private @Nullable String endToEndId;
        private @Nullable Instant settledAt;
        private @Nullable Payer payer;
        private @Nullable UUID change;
        private @Nullable String key;
        private @Nullable UUID by;
        private @Nullable UUID session;
        protected @Nullable UUID refund;
        private @Nullable UUID decision;
        private @Nullable Amount amount;
        private @Nullable String reference;
        private @Nullable String description;
        private @Nullable String nature;
        private @Nullable String rtrId;
        private boolean completes;
        private @Nullable UUID dispute;
        private Dispute.@Nullable Status disputeStatus;
        private @Nullable String situation;
        private @Nullable Instant deadline;
        private @Nullable Instant openedAt;
        private @Nullable String railId;
        private @Nullable String protocol;
        private @Nullable String text;

        void readField(String name, BsonReader reader) {
            switch (name) {
                case KIND -> kind = reader.readString();
                case STATUS -> status = Codes.get(Status.class, reader.readString());
                case AT -> at = Instant.ofEpochMilli(reader.readDateTime());
                case SOURCE -> source = Codes.get(Source.class, reader.readString());
                case REASON -> reason = reader.readString();
                case END_TO_END_ID -> endToEndId = reader.readString();
                case SETTLED_AT -> settledAt = Instant.ofEpochMilli(reader.readDateTime());
                case PAID_BY -> payer = readPayer(reader);
                case NATURE -> nature = reader.readString();
                case RTR_ID -> rtrId = reader.readString();
                case CHANGE -> change = readUuid(reader);
                case KEY -> key = reader.readString();
                case BY -> by = readUuid(reader);
                case SESSION -> session = readUuid(reader);
                case REFUND -> refund = readUuid(reader);
                case RESOLUTION -> decision = readUuid(reader);
                case AMOUNT -> amount = new Amount(reader.readInt64());
                case REFERENCE -> reference = reader.readString();
                case DESCRIPTION -> description = reader.readString();
                case COMPLETES -> completes = reader.readBoolean();
                case DISPUTE -> dispute = readUuid(reader);
                case DISPUTE_STATUS -> disputeStatus = Codes.get(Dispute.Status.class, reader.readString());
                case SITUATION -> situation = reader.readString();
                case DEADLINE -> deadline = Instant.ofEpochMilli(reader.readDateTime());
                case OPENED_AT -> openedAt = Instant.ofEpochMilli(reader.readDateTime());
                case RAIL_ID -> railId = reader.readString();
                case PROTOCOL -> protocol = reader.readString();
                case TEXT -> text = reader.readString();
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
                            requester(),
                            reason,
                            RailReturn.of(nature, rtrId));
                case REFUND_MADE -> new Entry.RefundMade(refundId(), completes, time, decision);
                case REFUND_FAILED -> new Entry.RefundFailed(refundId(), required(REASON, reason), time, decision);
                case CHANGE_REFUSED ->
                    new Entry.ChangeRefused(required(CHANGE, change), required(REASON, reason), time, requester());
                case DISPUTE_OPENED ->
                    new Entry.DisputeOpened(
                            required(DISPUTE, dispute),
                            required(AMOUNT, amount),
                            required(REASON, reason),
                            situation,
                            deadline,
                            required(OPENED_AT, openedAt),
                            required(RAIL_ID, railId),
                            protocol,
                            time);
                case DEFENSE_REQUESTED ->
                    new Entry.DefenseRequested(
                            required(DISPUTE, dispute), required(TEXT, text), required(CHANGE, changeRef()), time);
                case DISPUTE_UPDATED ->
                    new Entry.DisputeUpdated(
                            required(DISPUTE, dispute),
                            required(DISPUTE_STATUS, disputeStatus),
                            deadline,
                            change,
                            time);
                case DISPUTE_CLOSED ->
                    new Entry.DisputeClosed(required(DISPUTE, dispute), required(DISPUTE_STATUS, disputeStatus), time);
                case DISPUTE_RELEASED -> new Entry.DisputeReleased(required(DISPUTE, dispute), time);
                case PAYER_MISMATCH -> new Entry.PayerMismatch(time);
                case PAYER_NAMED -> new Entry.PayerNamed(required(PAID_BY, payer), time);
                default -> throw new IllegalStateException(kind + ": unknown kind of a stored history entry");
            };
        }

        private RefundId refundId() {
            return new RefundId(required(REFUND, refund));
        }

        protected @Nullable Settlement settlement() {
            return endToEndId == null ? null : new Settlement(endToEndId, required(SETTLED_AT, settledAt), payer);
        }

        protected @Nullable ChangeRef changeRef() {
            return change == null ? null : new ChangeRef(change, key, requester());
        }

        private @Nullable Requester requester() {
            return by == null ? null : new Requester(by, session);
        }
    }

    /** The fields of a rail call, or of its resolution. */
    private static final class CallDraft extends Draft {

        private int submissions = 1;
        private boolean begun = true;
        private boolean acknowledged;
        private @Nullable Instant since;
        private @Nullable Instant reportedAt;
        private int inquiries;
        private @Nullable String rejection;
        private @Nullable Resolution resolution;
        private @Nullable Instant dueAt;
        private @Nullable UUID secret;
        private @Nullable UUID id;
        private boolean moved;
        private boolean checksPayer;

        @Override
        void readField(String name, BsonReader reader) {
            switch (name) {
                case SUBMISSIONS -> submissions = reader.readInt32();
                case BEGUN -> begun = reader.readBoolean();
                case ACKNOWLEDGED -> acknowledged = reader.readBoolean();
                case SINCE -> since = Instant.ofEpochMilli(reader.readDateTime());
                case REPORTED_AT -> reportedAt = Instant.ofEpochMilli(reader.readDateTime());
                case INQUIRIES -> inquiries = reader.readInt32();
                case REJECTION -> rejection = reader.readString();
                case RESOLUTION -> resolution = read(reader, new CallDraft()).resolution();
                case DUE -> dueAt = Instant.ofEpochMilli(reader.readDateTime());
                case SECRET -> secret = readUuid(reader);
                case ID -> id = readUuid(reader);
                case CHECKS_PAYER -> checksPayer = reader.readBoolean();
                case MOVED -> moved = reader.readBoolean();
                default -> super.readField(name, reader);
            }
        }

        private Resolution resolution() {
            return new Resolution(required(ID, id), moved, settlement(), required(AT, at));
        }

        private RailCall call() {
            return new RailCall(
                    refund == null ? null : new RefundId(refund),
                    submissions,
                    begun,
                    acknowledged,
                    required(SINCE, since),
                    reportedAt,
                    inquiries,
                    rejection,
                    changeRef(),
                    resolution,
                    settlement(),
                    checksPayer,
                    required(DUE, dueAt),
                    secret);
        }
    }
}
