package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.Replay;
import dev.ligeiro.webhook.ReplayRequest;
import dev.ligeiro.webhook.StatusFilter;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayRequestTest {

    @Test
    void theDefaultIsWhatTheEndpointHasMissed() {
        ReplayRequest request = DeliveryController.replayRequest(
                Bodies.fields("{\"from\":\"2026-03-10T11:30:00-03:00\",\"to\":\"2026-04-09T14:30:00Z\"}"));

        assertThat(request)
                .isEqualTo(new ReplayRequest(
                        Instant.parse("2026-03-10T14:30:00Z"),
                        Instant.parse("2026-04-09T14:30:00Z"),
                        StatusFilter.UNDELIVERED));
        assertThat(request.includes(request.from())).isTrue();
        assertThat(request.includes(request.to())).isTrue();
        assertThat(request.includes(request.from().minusMillis(1))).isFalse();
        assertThat(request.includes(request.to().plusMillis(1))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                                           | from:required,to:required",
                "{\"from\":1,\"to\":[]}                                                       | from:wrong_type,to:wrong_type",
                "{\"from\":\"2026-03-10\",\"to\":\"2026-03-10T14:30:00\"}                     | from:invalid,to:invalid",
                "{\"from\":\"2026-03-10 14:30:00\",\"to\":\"2026-02-30T14:30:00Z\"}           | from:invalid,to:invalid",
                "{\"from\":\"+999999999-01-01T00:00:00Z\",\"to\":\"-0001-01-01T00:00:00Z\"}   | from:invalid,to:invalid",
                "{\"from\":\"0000-01-01T00:00:00+01:00\",\"to\":\"9999-12-31T23:59:59-01:00\"} | from:invalid,to:invalid",
                "{\"from\":\"2026-03-10T14:30:00Z\",\"to\":\"2026-03-10T14:29:59Z\"}          | to:invalid",
                "{\"from\":\"2026-03-10T14:30:00Z\",\"to\":\"2026-04-09T14:30:01Z\"}          | to:invalid",
                "{\"from\":\"2025-03-10T14:30:00Z\",\"to\":\"2026-03-10T14:30:00Z\"}          | to:invalid",
                "{\"from\":\"2026-03-10T14:30:00Z\",\"to\":\"2026-03-10T14:30:00Z\",\"status\":\"lost\"}      | status:invalid",
                "{\"from\":\"2026-03-10T14:30:00Z\",\"to\":\"2026-03-10T14:30:00Z\",\"status\":\"scheduled\"} | status:invalid",
            })
    void invalidFieldsAreNamed(String json, String errors) {
        assertThat(FieldErrors.of(() -> DeliveryController.replayRequest(Bodies.fields(json))))
                .containsExactly(errors.split(","));
    }

    @Test
    void timesHaveTheMillisecondsThatMongoDbStores() {
        ReplayRequest request = DeliveryController.replayRequest(
                Bodies.fields("{\"from\":\"2026-03-10T14:30:00.123456789Z\",\"to\":\"2026-03-10T14:30:01.999999Z\"}"));

        assertThat(request.from()).isEqualTo("2026-03-10T14:30:00.123Z");
        assertThat(request.to()).isEqualTo("2026-03-10T14:30:01.999Z");
    }

    /** A replay looks at the transactions that were created before its end, and at none for a time before 1970. */
    @ParameterizedTest
    @ValueSource(
            strings = {"0000-01-01T00:00:00Z", "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
    void aFarTimeIsAPositionInTheOrderOfTime(String text) {
        Instant to = Instant.parse(text);
        byte[] position = Replay.begin(
                        Transactions.ID.value(),
                        Transactions.ID.value(),
                        Transactions.TENANT,
                        new ReplayRequest(to, to, StatusFilter.UNDELIVERED),
                        to)
                .position();

        assertThat(DeliveryId.of(position).eventId().transactionId().createdAt())
                .isEqualTo(to.isBefore(Instant.EPOCH) ? Instant.EPOCH : to.plusSeconds(300));
    }
}
