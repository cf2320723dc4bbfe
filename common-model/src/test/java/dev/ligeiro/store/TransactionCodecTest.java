package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.TransactionBuilder;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonArray;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.ByteBufNIO;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.io.ByteBufferBsonInput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionCodecTest {

    private static final TransactionCodec CODEC = new TransactionCodec();

    @Provide
    Arbitrary<Transaction> transactions() {
        return TransactionArbitraries.transactions();
    }

    @Property
    void aTransactionRoundTripsThroughBson(@ForAll("transactions") Transaction transaction) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        CODEC.encode(
                new BsonBinaryWriter(bytes),
                transaction,
                EncoderContext.builder().build());

        BsonBinaryReader reader = new BsonBinaryReader(new ByteBufferBsonInput(
                new ByteBufNIO(ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN))));
        assertThat(CODEC.decode(reader, DecoderContext.builder().build())).isEqualTo(transaction);
    }

    @Property
    void absentFieldsAreNotStored(@ForAll("transactions") Transaction transaction) {
        BsonDocument document = stored(transaction);
        Terms terms = transaction.terms();

        assertThat(document.containsKey(TransactionFields.REFERENCE)).isEqualTo(terms.reference() != null);
        assertThat(document.containsKey(TransactionFields.UNACCEPTED)).isEqualTo(!transaction.accepted());
        assertThat(document.containsKey(TransactionFields.RAIL_CALLS))
                .isEqualTo(!transaction.railCalls().isEmpty());
        assertThat(document.values()).doesNotContain(BsonNull.VALUE);
    }

    /** The processor compares it: a command with another value of any of these must not match. */
    @Property
    void theFingerprintIsOfAllThatNeverChanges(@ForAll("transactions") Transaction transaction) {
        Transaction created = Transaction.create(
                transaction.id(),
                transaction.tenant(),
                transaction.operation(),
                transaction.terms(),
                "key-1",
                Transactions.by(1));
        assertThat(stored(transaction).get(TransactionFields.FINGERPRINT))
                .isEqualTo(TransactionCodec.fingerprint(created));

        Terms terms = transaction.terms();
        Stream.of(
                        Transactions.like(transaction).createdAs(TransactionId.at(Instant.EPOCH)),
                        Transactions.like(transaction)
                                .tenant(new Tenant(transaction.tenant().key() / 2
                                        + 1
                                        + transaction.tenant().key() % 2)),
                        Transactions.like(transaction)
                                .amount(new Amount(terms.amount().cents() + 1)),
                        Transactions.like(transaction)
                                .commission(new Amount(terms.commission().cents() + 1)),
                        Transactions.like(transaction).pixKey(new PixKey(PixKey.Type.EMAIL, "another@example.com")),
                        Transactions.like(transaction).brCode(terms.brCode() + "1"),
                        Transactions.like(transaction).locationId(17L),
                        Transactions.like(transaction).extra(terms.extra() + "1"),
                        Transactions.like(transaction).rail(terms.rail() + "2"))
                .map(TransactionBuilder::build)
                .filter(other -> !other.hasTermsOf(transaction))
                .forEach(other -> assertThat(TransactionCodec.fingerprint(other))
                        .isNotEqualTo(TransactionCodec.fingerprint(transaction)));
    }

    /** Without a value the field is absent, so that a partial index leaves the transaction out. */
    @Property
    void theFieldsForQueriesAreStored(@ForAll("transactions") Transaction transaction) {
        BsonDocument document = stored(transaction);
        List<BsonString> keys =
                transaction.idempotencyKeys().map(BsonString::new).toList();
        Set<Long> tokens = document.getArray(TransactionFields.SEARCH).stream()
                .map(token -> token.asInt64().getValue())
                .collect(Collectors.toSet());

        assertThat(document.getString(TransactionFields.STATUS).getValue())
                .isEqualTo(transaction.status().code());
        assertThat(document.get(TransactionFields.DUE)).isEqualTo(time(transaction.dueAt()));
        assertThat(document.get(TransactionFields.UNSETTLED_SINCE)).isEqualTo(time(transaction.unsettledSince()));
        assertThat(document.get(TransactionFields.IDEMPOTENCY_KEYS))
                .isEqualTo(keys.isEmpty() ? null : new BsonArray(keys));
        assertThat(tokens)
                .isEqualTo(SearchTokens.of(transaction.terms()).stream()
                        .map(token -> SearchTokens.stored(token, BucketVersionFields.epochDay(transaction.id())))
                        .collect(Collectors.toSet()));
    }

    private static @Nullable BsonDateTime time(@Nullable Instant at) {
        return at == null ? null : new BsonDateTime(at.toEpochMilli());
    }

    @Property
    void theOrderOfFieldsDoesNotMatter(@ForAll("transactions") Transaction transaction) {
        assertThat(read(reversed(stored(transaction)))).isEqualTo(transaction);
    }

    @Test
    void aMissingFieldIsAnError() {
        for (String field :
                ("_id tenant operation amount commission payer description platform endToEndId expiresAt rail"
                                + " history")
                        .split(" ")) {
            BsonDocument document = stored(Transactions.goldenCashin());
            document.remove(field);

            assertThatThrownBy(() -> read(document)).hasMessage(field + ": missing in a stored transaction");
        }
    }

    /** The fields of each entry by its place in the history. */
    @ParameterizedTest(name = "entry {0} without each of {1}")
    @CsvSource({
        "0, status source at",
        "1, settledAt",
        "2, refund amount source",
        "3, refund",
        "5, refund reason",
        "6, change reason"
    })
    void aMissingFieldOfAnEntryIsAnError(int entry, String fields) {
        for (String field : fields.split(" ")) {
            BsonDocument document = stored(withARefundAtTheRail());
            document.getArray(TransactionFields.HISTORY).get(entry).asDocument().remove(field);

            assertThatThrownBy(() -> read(document))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(field + ": missing in a stored transaction");
        }
    }

    /** An older service must not take the entry of a newer one for a change of status. */
    @Test
    void anUnknownKindOfEntryIsAnError() {
        BsonDocument document = stored(withARefundAtTheRail());
        document.getArray(TransactionFields.HISTORY)
                .get(3)
                .asDocument()
                .put(TransactionFields.KIND, new BsonString("unheard_of"));

        assertThatThrownBy(() -> read(document))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("unheard_of: unknown kind of a stored history entry");
    }

    private static Transaction withARefundAtTheRail() {
        RefundId third = new RefundId(UUID.fromString("019cd903-8f53-7abc-9def-0123456789ab"));
        Instant at = Transactions.CREATED_AT.plusSeconds(4 * 3_600);
        return Transactions.partlyRefundedCashin()
                .with(new Entry.ChangeRefused(
                        UUID.fromString("019cd8fe-0000-7abc-9def-0123456789ab"), "refund_exceeds_amount", at))
                .with(new Entry.RefundRequested(third, new Amount(3000), Source.MERCHANT, null, null, at, "key-3"))
                .with(new RailCall(
                        third,
                        2,
                        true,
                        false,
                        at,
                        null,
                        1,
                        "rejected_by_rail",
                        null,
                        null,
                        null,
                        false,
                        at.plusSeconds(30),
                        null));
    }

    private static BsonDocument stored(Transaction transaction) {
        return StoredValues.document(CODEC, transaction);
    }

    private static Transaction read(BsonDocument document) {
        return CODEC.decode(
                new BsonDocumentReader(document), DecoderContext.builder().build());
    }

    /** {@code document} with its fields in reverse order, at every level; arrays keep their order. */
    private static BsonDocument reversed(BsonDocument document) {
        BsonDocument reversed = new BsonDocument();
        List<String> fields = List.copyOf(document.keySet());
        for (int i = fields.size() - 1; i >= 0; i--) {
            BsonValue value = document.get(fields.get(i));
            reversed.append(fields.get(i), value instanceof BsonDocument nested ? reversed(nested) : value);
        }
        return reversed;
    }
}
