package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.Test;

class DeliveryCodecTest {

    private static final Instant AT = Instant.parse("2026-03-10T14:30:20.456Z");
    private static final DeliveryId ID =
            new DeliveryId(UUID.fromString("019cd000-0000-7abc-9def-0123456789ab"), new EventId(Transactions.ID, 2));
    private static final Attempt ATTEMPT = new Attempt(AT, AttemptOutcome.REJECTED, 500, Duration.ofMillis(12));

    private final DeliveryCodec codec = new DeliveryCodec();

    @Test
    void aScheduledDeliveryHasNoEndAndNoPayload() {
        assertThat(encode(Delivery.due(ID, "webhook.test", AT, AT, null)))
                .containsEntry("endpoint", TransactionCodec.binary(ID.endpointId()))
                .doesNotContainKeys("endedAt", "body", "requestId", "traceParent");
    }

    @Test
    void aDeliveredOneKeepsNeitherPayloadNorSchedule() {
        Delivery delivery = Delivery.ended(
                ID, "transaction.paid", AT, DeliveryStatus.DELIVERED, List.of(ATTEMPT), AT.plusMillis(5));
        BsonDocument document = encode(delivery);
        assertThat(document.keySet())
                .containsExactly("_id", "endpoint", "eventType", "eventAt", "status", "attempts", "endedAt");
        assertThat(RawBsonDocument.parse(document.toJson()).getByteBuffer().remaining())
                .isLessThan(310);
        assertThat(decode(document)).usingRecursiveComparison().isEqualTo(delivery);
    }

    @Test
    void anAttemptIsPushedAsItIsInserted() {
        Delivery delivery = Delivery.ended(ID, "transaction.paid", AT, DeliveryStatus.EXHAUSTED, List.of(ATTEMPT), AT);
        assertThat(encode(delivery).getArray("attempts")).containsExactly(DeliveryCodec.document(ATTEMPT));
    }

    @Test
    void onlyTheLastThreeResponsesAreKept() {
        List<Attempt> attempts = IntStream.range(0, 5)
                .mapToObj(i -> new Attempt(
                        AT.plusSeconds(i),
                        AttemptOutcome.REJECTED,
                        500,
                        Duration.ofMillis(12),
                        i == 3 ? null : "no " + i))
                .toList();

        Delivery read =
                decode(encode(Delivery.ended(ID, "transaction.paid", AT, DeliveryStatus.EXHAUSTED, attempts, AT)));

        assertThat(read.attempts().stream().map(Attempt::response)).containsExactly(null, "no 1", "no 2", null, "no 4");
    }

    /** The dispatcher sets such a delivery aside. */
    @Test
    void aStatusOfANewerVersionCannotBeRead() {
        BsonDocument document = encode(Delivery.due(ID, "transaction.paid", AT, AT, null));
        document.put("status", new BsonString("postponed"));
        assertThatThrownBy(() -> decode(document)).hasMessage("postponed (expected: a code of DeliveryStatus)");
    }

    @Test
    void onlyAScheduledDeliveryHasANextAttempt() {
        assertThatThrownBy(() -> new Delivery(
                        ID, "transaction.paid", AT, DeliveryStatus.DELIVERED, List.of(), AT, null, null, Origin.NONE))
                .hasMessageStartingWith("nextAttemptAt, endedAt: 2026-03-10T14:30:20.456Z, null (expected: ");
    }

    private Delivery decode(BsonDocument document) {
        return codec.decode(
                new BsonDocumentReader(document), DecoderContext.builder().build());
    }

    private BsonDocument encode(Delivery delivery) {
        BsonDocument document = new BsonDocument();
        codec.encode(
                new BsonDocumentWriter(document),
                delivery,
                EncoderContext.builder().build());
        return document;
    }
}
