package dev.ligeiro.store;

import static dev.ligeiro.store.StoredValues.readUuid;
import static dev.ligeiro.store.StoredValues.required;
import static dev.ligeiro.store.StoredValues.writeIfPresent;
import static dev.ligeiro.store.TransactionFields.*;

import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonInt64;
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
    private static final int FINGERPRINT_BYTES = 16;

    private final LongSupplier tokenDaysFrom;

    /** All search tokens are written with their day. */
    public TransactionCodec() {
        this(() -> 0);
    }

    /** @param tokenDaysFrom the first day whose transactions have search tokens with their day */
    public TransactionCodec(LongSupplier tokenDaysFrom) {
        this.tokenDaysFrom = tokenDaysFrom;
    }

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
            writer.writeDateTime(UNACCEPTED, transaction.createdAt().toEpochMilli());
        }
        if (transaction.unsentFrom() != 1) {
            writer.writeInt32(UNSENT_FROM, transaction.unsentFrom());
        }
        writer.writeBinaryData(FINGERPRINT, fingerprint(transaction));
        writeTerms(writer, transaction.terms());
        writer.writeStartArray(HISTORY);
        for (Entry entry : transaction.history().entries()) {
            TransactionParts.write(writer, entry);
        }
        writer.writeEndArray();
        writeRailCalls(writer, transaction.railCalls());
        writeDerived(writer, transaction);
        writer.writeEndDocument();
    }

    private static void writeTerms(BsonWriter writer, Terms terms) {
        writer.writeInt64(AMOUNT, terms.amount().cents());
        writer.writeInt64(COMMISSION, terms.commission().cents());
        writeParty(writer, terms.payer());
        writer.writeString(DESCRIPTION, terms.description());
        writer.writeBinaryData(PLATFORM, binary(terms.platform()));
        writeIfPresent(writer, REFERENCE, terms.reference());
        writeIfPresent(writer, EXTRA, terms.extra());
        writePixKey(writer, terms.pixKey());
        writeIfPresent(writer, BR_CODE, terms.brCode());
        if (terms.locationId() != null) {
            writer.writeInt64(LOCATION_ID, terms.locationId());
        }
        writer.writeString(END_TO_END_ID, terms.endToEndId());
        writer.writeDateTime(EXPIRES_AT, terms.expiresAt().toEpochMilli());
        writer.writeString(RAIL, terms.rail());
        if (terms.commissionReturns() != null) {
            writer.writeBoolean(COMMISSION_RETURNS, terms.commissionReturns());
        }
        writeIfPresent(writer, RETURN_URL, terms.returnUrl());
        if (terms.fiscal() != null) {
            writer.writeStartDocument(FISCAL);
            terms.fiscal().forEach(writer::writeString);
            writer.writeEndDocument();
        }
        writePayerRules(writer, terms.payerRules());
    }

    private static void writeRailCalls(BsonWriter writer, List<RailCall> calls) {
        if (!calls.isEmpty()) {
            writer.writeStartArray(RAIL_CALLS);
            calls.forEach(call -> TransactionParts.write(writer, call));
            writer.writeEndArray();
        }
    }

    /** Fields that only queries read. */
    private void writeDerived(BsonWriter writer, Transaction transaction) {
        writeIfPresent(writer, DUE, transaction.dueAt());
        writeIfPresent(writer, UNSETTLED_SINCE, transaction.unsettledSince());
        writeIfPresent(writer, APPROVAL_SINCE, transaction.approvalSince());
        writeIfPresent(writer, DEFENSE_SINCE, transaction.defenseSince());
        List<String> keys = transaction.idempotencyKeys().toList();
        if (!keys.isEmpty()) {
            writer.writeStartArray(IDEMPOTENCY_KEYS);
            keys.forEach(writer::writeString);
            writer.writeEndArray();
        }
        writer.writeStartArray(SEARCH);
        long day = SearchTokens.day(transaction.id(), tokenDaysFrom.getAsLong());
        for (long token : SearchTokens.of(transaction.terms())) {
            writer.writeInt64(SearchTokens.stored(token, day));
        }
        writer.writeEndArray();
    }

    /**
     * 16 bytes of the SHA-256 of all that never changes: id, tenant, operation and terms. So one filter over many transactions compares each
     * of them with its own command. 2 µs.
     */
    public static BsonBinary fingerprint(Transaction transaction) {
        Terms terms = transaction.terms();
        Party payer = terms.payer();
        StringBuilder text = new StringBuilder(1_024);
        append(
                text,
                transaction.id(),
                transaction.tenant().key(),
                transaction.operation().code());
        append(text, terms.amount().cents(), terms.commission().cents());
        append(text, payer.name(), payer.email(), payer.phone(), payer.document());
        append(text, terms.description(), terms.platform(), terms.reference(), terms.extra());
        PixKey key = terms.pixKey();
        append(text, key == null ? null : key.type(), key == null ? null : key.value(), terms.brCode());
        append(text, terms.endToEndId(), terms.expiresAt().toEpochMilli(), terms.rail());
        if (terms.locationId() != null) {
            append(text, terms.locationId());
        }
        if (terms.commissionReturns() != null) {
            append(text, COMMISSION_RETURNS, terms.commissionReturns());
        }
        if (terms.returnUrl() != null) {
            append(text, RETURN_URL, terms.returnUrl());
        }
        if (terms.fiscal() != null) {
            append(text, FISCAL);
            terms.fiscal().forEach((name, value) -> append(text, name, value));
        }
        PayerRules rules = terms.payerRules();
        if (rules != null) {
            append(text, PAYER_RULES, rules.mustMatch(), rules.refundsMismatch(), rules.visible());
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return new BsonBinary(Arrays.copyOf(digest, FINGERPRINT_BYTES));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** With their lengths, so that no value can look like two. */
    private static void append(StringBuilder text, @Nullable Object... values) {
        for (Object value : values) {
            String each = String.valueOf(value);
            text.append(value == null ? -1 : each.length()).append(':').append(each);
        }
    }

    public static BsonInt64 tenant(Tenant tenant) {
        return new BsonInt64(tenant.key());
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
            case OPERATION -> draft.operation = Codes.get(Operation.class, reader.readString());
            case VERSION -> draft.version = reader.readInt32();
            case UNACCEPTED -> {
                draft.accepted = false;
                reader.skipValue();
            }
            case UNSENT_FROM -> draft.unsentFrom = reader.readInt32();
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
            case LOCATION_ID -> draft.locationId = reader.readInt64();
            case EXPIRES_AT -> draft.expiresAt = Instant.ofEpochMilli(reader.readDateTime());
            case RAIL -> draft.rail = reader.readString();
            case COMMISSION_RETURNS -> draft.commissionReturns = reader.readBoolean();
            case RETURN_URL -> draft.returnUrl = reader.readString();
            case FISCAL -> draft.fiscal = readStrings(reader);
            case PAYER_RULES -> draft.payerRules = readPayerRules(reader);
            case HISTORY -> draft.history = new History(readArray(reader, TransactionParts::readEntry));
            case RAIL_CALLS -> draft.railCalls = readArray(reader, TransactionParts::readCall);
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

    private static void writePayerRules(BsonWriter writer, @Nullable PayerRules rules) {
        if (rules != null) {
            writer.writeStartDocument(PAYER_RULES);
            writer.writeBoolean(MUST_MATCH, rules.mustMatch());
            writer.writeBoolean(REFUNDS_MISMATCH, rules.refundsMismatch());
            writer.writeBoolean(VISIBLE, rules.visible());
            writer.writeEndDocument();
        }
    }

    private static PayerRules readPayerRules(BsonReader reader) {
        boolean mustMatch = false;
        boolean refundsMismatch = false;
        boolean visible = false;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case MUST_MATCH -> mustMatch = reader.readBoolean();
                case REFUNDS_MISMATCH -> refundsMismatch = reader.readBoolean();
                case VISIBLE -> visible = reader.readBoolean();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new PayerRules(mustMatch, refundsMismatch, visible);
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

    private static Map<String, String> readStrings(BsonReader reader) {
        Map<String, String> strings = new LinkedHashMap<>();
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            strings.put(reader.readName(), reader.readString());
        }
        reader.readEndDocument();
        return strings;
    }

    private static <T> List<T> readArray(BsonReader reader, Function<BsonReader, T> element) {
        List<T> elements = new ArrayList<>(4);
        reader.readStartArray();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            elements.add(element.apply(reader));
        }
        reader.readEndArray();
        return elements;
    }

    private static final class Draft {

        private @Nullable TransactionId id;
        private @Nullable Tenant tenant;
        private @Nullable Operation operation;
        private int version;
        private boolean accepted = true;
        private int unsentFrom = 1;
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
        private @Nullable Long locationId;
        private @Nullable Instant expiresAt;
        private @Nullable String rail;
        private @Nullable Boolean commissionReturns;
        private @Nullable String returnUrl;
        private @Nullable Map<String, String> fiscal;
        private @Nullable PayerRules payerRules;
        private @Nullable History history;
        private List<RailCall> railCalls = List.of();

        private Transaction transaction() {
            return new Transaction(
                    required(ID, id),
                    required(TENANT, tenant),
                    required(OPERATION, operation),
                    terms(),
                    required(HISTORY, history),
                    railCalls,
                    version,
                    accepted,
                    unsentFrom);
        }

        private Terms terms() {
            return new Terms(
                    required(AMOUNT, amount),
                    required(COMMISSION, commission),
                    required(PAYER, payer),
                    required(DESCRIPTION, description),
                    required(PLATFORM, platform),
                    reference,
                    extra,
                    pixKey,
                    brCode,
                    locationId,
                    required(END_TO_END_ID, endToEndId),
                    required(EXPIRES_AT, expiresAt),
                    required(RAIL, rail),
                    commissionReturns,
                    returnUrl,
                    fiscal,
                    payerRules);
        }
    }
}
