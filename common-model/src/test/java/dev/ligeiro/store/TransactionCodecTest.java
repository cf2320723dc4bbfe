package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.Golden;
import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.ByteBufNIO;
import org.bson.UuidRepresentation;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.io.ByteBufferBsonInput;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionCodecTest {

    private static final TransactionCodec CODEC = new TransactionCodec();
    /** Extended JSON that tells an int64 from an int32. */
    private static final JsonWriterSettings TYPED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

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

    @Test
    void aNewCashinIsStoredAsItsGoldenFile() {
        assertThat(json(Transactions.goldenCashin())).isEqualTo(Golden.json("store/cashin.json"));
    }

    @Test
    void aDeniedCashoutIsStoredAsItsGoldenFile() {
        Transaction denied = Transactions.goldenCashout()
                .moveTo(
                        Status.DENIED,
                        Transactions.CREATED_AT.plusSeconds(5),
                        StatusEvent.Source.RAIL,
                        "rejected_by_rail");

        assertThat(json(denied)).isEqualTo(Golden.json("store/cashout.json"));
    }

    @Property
    void absentFieldsAreNotStored(@ForAll("transactions") Transaction transaction) {
        BsonDocument document = stored(transaction);

        assertThat(document.containsKey(TransactionFields.REFERENCE)).isEqualTo(transaction.reference() != null);
        assertThat(document.containsKey(TransactionFields.EXTRA)).isEqualTo(transaction.extra() != null);
        assertThat(document.containsKey(TransactionFields.PIX_KEY)).isEqualTo(transaction.pixKey() != null);
        assertThat(document.containsKey(TransactionFields.BR_CODE)).isEqualTo(transaction.brCode() != null);
        assertThat(document.containsKey(TransactionFields.UNACCEPTED)).isEqualTo(!transaction.accepted());
    }

    @Property
    void isStoredWithItsSearchTokens(@ForAll("transactions") Transaction transaction) {
        Set<Long> tokens = stored(transaction).getArray(TransactionFields.SEARCH).stream()
                .map(token -> token.asInt64().getValue())
                .collect(Collectors.toSet());

        assertThat(tokens).isEqualTo(SearchTokens.of(transaction));
    }

    @Test
    void uuidsAreOfTheStandardBinarySubtype() {
        UUID uuid = Transactions.ID.value();

        assertThat(TransactionCodec.binary(uuid)).isEqualTo(new BsonBinary(uuid, UuidRepresentation.STANDARD));
    }

    @Test
    void unknownFieldsAreSkippedAtEveryLevel() {
        Transaction cashout = Transactions.goldenCashout();
        BsonDocument newer = stored(cashout);
        addUnknownFields(newer);

        assertThat(read(newer)).isEqualTo(cashout);
    }

    @Property
    void theOrderOfFieldsDoesNotMatter(@ForAll("transactions") Transaction transaction) {
        assertThat(read(reversed(stored(transaction)))).isEqualTo(transaction);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "_id",
                "tenant",
                "operation",
                "status",
                "amount",
                "commission",
                "payer",
                "description",
                "platform",
                "endToEndId",
                "events"
            })
    void aMissingFieldIsAnError(String field) {
        BsonDocument document = stored(Transactions.goldenCashin());
        document.remove(field);

        assertThatThrownBy(() -> read(document))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(field + ": missing in a stored transaction");
    }

    private static String json(Transaction transaction) {
        return Golden.compact(stored(transaction).toJson(TYPED));
    }

    private static BsonDocument stored(Transaction transaction) {
        BsonDocument document = new BsonDocument();
        CODEC.encode(
                new BsonDocumentWriter(document),
                transaction,
                EncoderContext.builder().build());
        return document;
    }

    private static Transaction read(BsonDocument document) {
        return CODEC.decode(
                new BsonDocumentReader(document), DecoderContext.builder().build());
    }

    private static void addUnknownFields(BsonValue value) {
        if (value instanceof BsonArray array) {
            array.forEach(TransactionCodecTest::addUnknownFields);
        } else if (value instanceof BsonDocument document) {
            document.values().forEach(TransactionCodecTest::addUnknownFields);
            document.append("ofANewerVersion", new BsonArray(List.of(new BsonInt32(1), new BsonString("b"))));
        }
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
