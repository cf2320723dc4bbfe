package dev.ligeiro.store;

import static dev.ligeiro.store.TransactionFields.*;

import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/**
 * Converts a transaction to BSON and back, field by field and without reflection, because every insert uses it. Unknown fields are
 * skipped, so that an older service reads documents of a newer one.
 */
public final class TransactionCodec implements Codec<Transaction> {

    private static final int UUID_BYTES = 16;

    @Override
    public Class<Transaction> getEncoderClass() {
        return Transaction.class;
    }

    @Override
    public void encode(BsonWriter writer, Transaction transaction, EncoderContext context) {
        writer.writeStartDocument();
        writer.writeBinaryData(ID, binary(transaction.id().value()));
        writer.writeInt64(TENANT, transaction.tenant().key());
        writer.writeString(OPERATION, transaction.operation().code());
        writer.writeString(STATUS, transaction.status().code());
        writer.writeInt32(VERSION, transaction.version());
        if (!transaction.accepted()) {
            writer.writeBoolean(UNACCEPTED, true);
        }
        writer.writeInt64(AMOUNT, transaction.amount().cents());
        writer.writeInt64(COMMISSION, transaction.commission().cents());
        writeParty(writer, transaction.payer());
        writer.writeString(DESCRIPTION, transaction.description());
        writer.writeBinaryData(PLATFORM, binary(transaction.platform()));
        writeIfPresent(writer, REFERENCE, transaction.reference());
        writeIfPresent(writer, EXTRA, transaction.extra());
        writer.writeString(END_TO_END_ID, transaction.endToEndId());
        writePixKey(writer, transaction.pixKey());
        writeIfPresent(writer, BR_CODE, transaction.brCode());
        writer.writeStartArray(EVENTS);
        for (StatusEvent event : transaction.events()) {
            writeEvent(writer, event);
        }
        writer.writeEndArray();
        writer.writeStartArray(SEARCH);
        for (long token : SearchTokens.of(transaction)) {
            writer.writeInt64(token);
        }
        writer.writeEndArray();
        writer.writeEndDocument();
    }

    /** Writes one entry of the history, for {@link #encode} and for updates that push an entry. */
    public static void writeEvent(BsonWriter writer, StatusEvent event) {
        writer.writeStartDocument();
        writer.writeInt32(SEQUENCE, event.sequence());
        writer.writeString(STATUS, event.status().code());
        writer.writeDateTime(AT, event.at().toEpochMilli());
        writer.writeString(SOURCE, event.source().name());
        writeIfPresent(writer, REASON, event.reason());
        writer.writeEndDocument();
    }

    /** Converts a UUID to binary subtype 4, by which UUIDv7 sort by time. */
    public static BsonBinary binary(UUID uuid) {
        byte[] bytes = ByteBuffer.allocate(UUID_BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return new BsonBinary(BsonBinarySubType.UUID_STANDARD, bytes);
    }

    @Override
    public Transaction decode(BsonReader reader, DecoderContext context) {
        Draft draft = new Draft();
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            readField(reader, draft);
        }
        reader.readEndDocument();
        return draft.transaction();
    }

    private static void readField(BsonReader reader, Draft draft) {
        switch (reader.readName()) {
            case ID -> draft.id = new TransactionId(readUuid(reader));
            case TENANT -> draft.tenant = new Tenant(reader.readInt64());
            case OPERATION -> draft.operation = Operation.fromCode(reader.readString());
            case STATUS -> draft.status = Status.fromCode(reader.readString());
            case VERSION -> draft.version = reader.readInt32();
            case UNACCEPTED -> draft.accepted = !reader.readBoolean();
            case AMOUNT -> draft.amount = new Amount(reader.readInt64());
            case COMMISSION -> draft.commission = new Amount(reader.readInt64());
            case PAYER -> draft.payer = readParty(reader);
            case DESCRIPTION -> draft.description = reader.readString();
            case PLATFORM -> draft.platform = readUuid(reader);
            case REFERENCE -> draft.reference = reader.readString();
            case EXTRA -> draft.extra = reader.readString();
            case END_TO_END_ID -> draft.endToEndId = reader.readString();
            case PIX_KEY -> draft.pixKey = readPixKey(reader);
            case BR_CODE -> draft.brCode = reader.readString();
            case EVENTS -> draft.events = readEvents(reader);
            default -> reader.skipValue();
        }
    }

    private static void writeParty(BsonWriter writer, Party payer) {
        writer.writeStartDocument(PAYER);
        writer.writeString(NAME, payer.name());
        writer.writeString(EMAIL, payer.email());
        writer.writeString(PHONE, payer.phone());
        writer.writeString(DOCUMENT, payer.document());
        writer.writeEndDocument();
    }

    private static Party readParty(BsonReader reader) {
        String name = "";
        String email = "";
        String phone = "";
        String document = "";
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case NAME -> name = reader.readString();
                case EMAIL -> email = reader.readString();
                case PHONE -> phone = reader.readString();
                case DOCUMENT -> document = reader.readString();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new Party(name, email, phone, document);
    }

    private static void writePixKey(BsonWriter writer, @Nullable PixKey pixKey) {
        if (pixKey != null) {
            writer.writeStartDocument(PIX_KEY);
            writer.writeString(TYPE, pixKey.type().name());
            writer.writeString(VALUE, pixKey.value());
            writer.writeEndDocument();
        }
    }

    private static PixKey readPixKey(BsonReader reader) {
        PixKey.@Nullable Type type = null;
        @Nullable String value = null;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case TYPE -> type = PixKey.Type.valueOf(reader.readString());
                case VALUE -> value = reader.readString();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new PixKey(required(TYPE, type), required(VALUE, value));
    }

    private static List<StatusEvent> readEvents(BsonReader reader) {
        List<StatusEvent> events = new ArrayList<>(4);
        reader.readStartArray();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            events.add(readEvent(reader));
        }
        reader.readEndArray();
        return events;
    }

    private static StatusEvent readEvent(BsonReader reader) {
        int sequence = 0;
        Status status = Status.PENDING;
        Instant at = Instant.EPOCH;
        StatusEvent.Source source = StatusEvent.Source.SYSTEM;
        @Nullable String reason = null;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case SEQUENCE -> sequence = reader.readInt32();
                case STATUS -> status = Status.fromCode(reader.readString());
                case AT -> at = Instant.ofEpochMilli(reader.readDateTime());
                case SOURCE -> source = StatusEvent.Source.valueOf(reader.readString());
                case REASON -> reason = reader.readString();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new StatusEvent(sequence, status, at, source, reason);
    }

    private static UUID readUuid(BsonReader reader) {
        ByteBuffer bytes = ByteBuffer.wrap(reader.readBinaryData().getData());
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private static void writeIfPresent(BsonWriter writer, String field, @Nullable String value) {
        if (value != null) {
            writer.writeString(field, value);
        }
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(field + ": missing in a stored transaction");
        }
        return value;
    }

    /** The fields read so far. */
    private static final class Draft {

        private @Nullable TransactionId id;
        private @Nullable Tenant tenant;
        private @Nullable Operation operation;
        private @Nullable Status status;
        private int version;
        private boolean accepted = true;
        private @Nullable Amount amount;
        private @Nullable Amount commission;
        private @Nullable Party payer;
        private @Nullable String description;
        private @Nullable UUID platform;
        private @Nullable String reference;
        private @Nullable String extra;
        private @Nullable String endToEndId;
        private @Nullable PixKey pixKey;
        private @Nullable String brCode;
        private @Nullable List<StatusEvent> events;

        private Transaction transaction() {
            return new Transaction(
                    required(ID, id),
                    required(TENANT, tenant),
                    required(OPERATION, operation),
                    required(STATUS, status),
                    version,
                    accepted,
                    required(AMOUNT, amount),
                    required(COMMISSION, commission),
                    required(PAYER, payer),
                    required(DESCRIPTION, description),
                    required(PLATFORM, platform),
                    reference,
                    extra,
                    required(END_TO_END_ID, endToEndId),
                    pixKey,
                    brCode,
                    required(EVENTS, events));
        }
    }
}
