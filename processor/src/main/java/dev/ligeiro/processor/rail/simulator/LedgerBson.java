package dev.ligeiro.processor.rail.simulator;

import static dev.ligeiro.store.SimulatorLedgerFields.AMOUNT;
import static dev.ligeiro.store.SimulatorLedgerFields.FIRST_AT;
import static dev.ligeiro.store.SimulatorLedgerFields.ID;
import static dev.ligeiro.store.SimulatorLedgerFields.KIND;
import static dev.ligeiro.store.SimulatorLedgerFields.LAST_AT;
import static dev.ligeiro.store.SimulatorLedgerFields.STATE;
import static dev.ligeiro.store.SimulatorLedgerFields.SUBMISSIONS;
import static dev.ligeiro.store.SimulatorLedgerFields.TRANSACTION_ID;

import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.UuidRepresentation;

/** The form of a ledger entry in MongoDB. */
final class LedgerBson {

    private static final Codes<LedgerEntry.Kind> KINDS = new Codes<>(LedgerEntry.Kind.class);
    private static final Codes<LedgerEntry.State> STATES = new Codes<>(LedgerEntry.State.class);

    private LedgerBson() {}

    /** The upsert that counts a submission. */
    static BsonDocument count(LedgerEntry first) {
        return new BsonDocument(
                        "$setOnInsert",
                        new BsonDocument(KIND, new BsonString(first.kind().code()))
                                .append(
                                        TRANSACTION_ID,
                                        TransactionCodec.binary(
                                                first.transaction().value()))
                                .append(AMOUNT, new BsonInt64(first.amount().cents()))
                                .append(STATE, new BsonString(first.state().code()))
                                .append(FIRST_AT, time(first.firstAt())))
                .append("$max", new BsonDocument(LAST_AT, time(first.lastAt())))
                .append("$inc", new BsonDocument(SUBMISSIONS, new BsonInt32(1)));
    }

    static LedgerEntry read(BsonDocument document) {
        return new LedgerEntry(
                uuid(document, ID),
                KINDS.get(document.getString(KIND).getValue()),
                new TransactionId(uuid(document, TRANSACTION_ID)),
                new Amount(document.getInt64(AMOUNT).getValue()),
                STATES.get(document.getString(STATE).getValue()),
                document.getInt32(SUBMISSIONS).getValue(),
                Instant.ofEpochMilli(document.getDateTime(FIRST_AT).getValue()),
                Instant.ofEpochMilli(document.getDateTime(LAST_AT).getValue()));
    }

    private static UUID uuid(BsonDocument document, String field) {
        return document.getBinary(field).asUuid(UuidRepresentation.STANDARD);
    }

    private static BsonDateTime time(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }
}
