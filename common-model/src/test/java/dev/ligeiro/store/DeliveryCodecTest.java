package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.DecoderContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryCodecTest {

    private static final Instant AT = Instant.parse("2026-03-10T14:30:20.456Z");
    private static final DeliveryId ID =
            new DeliveryId(UUID.fromString("019cd000-0000-7abc-9def-0123456789ab"), new EventId(Transactions.ID, 2));
    private static final Attempt ATTEMPT = new Attempt(AT, AttemptOutcome.REJECTED, 500, Duration.ofMillis(12));

    private final DeliveryCodec codec = new DeliveryCodec();

    @Test
    void aScheduledDeliveryHasNoEndAndNoPayload() {
        assertThat(StoredValues.document(codec, Delivery.due(ID, "webhook.test", AT, AT, null)))
                .containsEntry("endpoint", TransactionCodec.binary(ID.endpointId()))
                .doesNotContainKeys("endedAt", "body", "requestId", "traceParent");
    }

    @Test
    void aDeliveredOneKeepsNeitherPayloadNorSchedule() {
        Delivery delivery = Delivery.ended(
                ID, "transaction.paid", AT, DeliveryStatus.DELIVERED, List.of(ATTEMPT), AT.plusMillis(5));
        BsonDocument document = StoredValues.document(codec, delivery);
        assertThat(document.keySet())
                .containsExactly("_id", "endpoint", "eventType", "eventAt", "status", "attempts", "endedAt");
        assertThat(RawBsonDocument.parse(document.toJson()).getByteBuffer().remaining())
                .isLessThan(310);
        assertThat(decode(document)).usingRecursiveComparison().isEqualTo(delivery);
    }

    @Test
    void anAttemptIsPushedAsItIsInserted() {
        Delivery delivery = Delivery.ended(ID, "transaction.paid", AT, DeliveryStatus.EXHAUSTED, List.of(ATTEMPT), AT);
        assertThat(StoredValues.document(codec, delivery).getArray("attempts"))
                .containsExactly(DeliveryCodec.document(ATTEMPT));
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

        Delivery read = decode(StoredValues.document(
                codec, Delivery.ended(ID, "transaction.paid", AT, DeliveryStatus.EXHAUSTED, attempts, AT)));

        assertThat(read.attempts().stream().map(Attempt::response)).containsExactly(null, "no 1", "no 2", null, "no 4");
    }

    /** The dispatcher sets such a delivery aside. */
    @Test
    void aStatusOfANewerVersionCannotBeRead() {
        BsonDocument document = StoredValues.document(codec, Delivery.due(ID, "transaction.paid", AT, AT, null));
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

    /** With the fault, the deliveries of a paused or disabled endpoint were due in the past. */
    @ParameterizedTest
    @CsvSource({"true, -60, , -60", "true, -60, 300, 300", "true, 600, 300, 600", "true, , 300, ", "false, -60, , "})
    void aDeliveryIsNotAttemptedWhileItsEndpointIsPausedOrDisabled(
            boolean enabled, @Nullable Long due, @Nullable Long pausedUntil, @Nullable Long expected) {
        WebhookEndpoint endpoint = Endpoints.withStatus(
                Endpoints.endpoint(Transactions.ID.value(), Transactions.TENANT, "https://shop.example/hooks"),
                enabled ? EndpointStatus.enabled(AT) : EndpointStatus.disabled(DisabledReason.FAILING, AT));
        StoredDelivery delivery = new StoredDelivery(
                new DeliveryId(endpoint.id(), new EventId(Transactions.ID, 2)),
                "transaction.paid",
                AT,
                due == null ? "delivered" : "scheduled",
                List.of(),
                at(due),
                due == null ? AT : null,
                null,
                Origin.NONE);

        assertThat(delivery.nextAttemptAt(endpoint, at(pausedUntil))).isEqualTo(at(expected));
    }

    private static @Nullable Instant at(@Nullable Long seconds) {
        return seconds == null ? null : AT.plusSeconds(seconds);
    }
}
