package dev.ligeiro.gateway.api.webhook.delivery;

import static dev.ligeiro.gateway.fixture.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class TestEventIT {

    private final TestMerchant merchant;
    private final StoredWebhooks database;
    private final TestEndpoint endpoint;

    TestEventIT(TestMerchant merchant, StoredWebhooks database) {
        this.merchant = merchant;
        this.database = database;
        this.endpoint = TestEndpoint.of(merchant);
    }

    @Test
    void aTestEventIsADelivery() {
        Answer sent = send().expect(202);

        assertThat(sent.text("event_type")).isEqualTo("webhook.test");
        assertThat(sent.text("status")).isEqualTo("scheduled");
        assertThat(sent.text("transaction_id")).isEmpty();
        Delivery stored = stored(sent);
        assertThat(new String(stored.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"type\":\"webhook.test\",\"timestamp\":\"" + stored.eventAt()
                        + "\",\"data\":{\"webhook_endpoint_id\":\"" + endpoint.id() + "\"}}");
        assertThat(stored.nextAttemptAt()).isEqualTo(stored.eventAt());
        assertThat(database.lane(endpoint.id()).dueAt()).isEqualTo(stored.nextAttemptAt());
    }

    @Test
    void aRedeliveredOneHasItsPayloadAgain() {
        Answer sent = send().expect(202);
        Delivery first = stored(sent);
        database.insert(Delivery.ended(
                first.id(), "webhook.test", first.eventAt(), DeliveryStatus.EXHAUSTED, List.of(), Instant.now()));

        merchant.api()
                .postNothing(endpoint.deliveries() + "/" + sent.text("id") + "/redeliver")
                .expect(202);

        assertThat(stored(sent).body()).isEqualTo(first.body());
    }

    /** The person who asks for it does not wait for the endpoint's backlog. */
    @Test
    void itComesBeforeTheEndpointsBacklog() {
        database.insert(delivery(Deliveries.id(endpoint.id(), 1), DeliveryStatus.SCHEDULED));

        Delivery first = stored(send().expect(202));
        Delivery second = stored(send().expect(202));

        assertThat(first.nextAttemptAt()).isEqualTo(Deliveries.AT.minusMillis(1));
        assertThat(second.nextAttemptAt()).isEqualTo(Deliveries.AT.minusMillis(2));
        assertThat(database.lane(endpoint.id()).dueAt())
                .isBeforeOrEqualTo(merchant.gateway().clock().instant());
    }

    @Test
    void aDisabledEndpointIsAConflictAndNothingIsStored() {
        endpoint.enable(false);

        send().expectProblem(409, "endpoint_disabled");

        assertThat(database.count(endpoint.id(), DeliveryStatus.SCHEDULED)).isZero();
    }

    private Answer send() {
        return merchant.api().postNothing(endpoint.path() + "/test");
    }

    private Delivery stored(Answer sent) {
        return database.find(DeliveryKey.parse(sent.text("id"), endpoint.id()));
    }
}
