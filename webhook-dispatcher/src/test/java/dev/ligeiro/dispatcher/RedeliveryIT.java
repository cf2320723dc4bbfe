package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What Kafka gives again. A crash is played by its traces: the process is gone, and what it had not written yet is taken back.
 */
class RedeliveryIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Stage stage = new Stage();
    private final Tenant tenant = stage.tenant();
    private final WebhookEndpoint endpoint = stage.register(tenant, "/hook");

    @BeforeEach
    void createTopic() {
        stage.createTopic();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void aCrashBetweenAttemptAndWriteIsMadeGoodUnderTheSameId() {
        TransactionEvent event = Stage.paid(tenant);
        deliverAndStop(event);
        Stage.run(stage.deliveries().deleteMany(new Document()));
        stage.forgetOffsets();

        stage.startDispatcher();
        awaitStatus("delivered");
        assertThat(stage.receiver().received("/hook")).hasSize(2).allSatisfy(webhook -> assertThat(
                        webhook.header("webhook-id"))
                .isEqualTo(event.id().toString()));
        assertThat(stage.deliveries(endpoint)).hasSize(1);
    }

    @Test
    void aCrashBetweenWriteAndCommitMakesNoSecondDelivery() {
        deliverAndStop(Stage.paid(tenant));
        Document first = stage.delivery(endpoint).orElseThrow();
        stage.forgetOffsets();
        stage.receiver().behave("/hook", WebhookReceiver.status(500));

        stage.startDispatcher();
        await().atMost(SOON).until(() -> stage.receiver().received("/hook").size() == 2);
        TransactionEvent next = Stage.paid(stage.tenant());
        WebhookEndpoint witness = stage.register(next.transaction().tenant(), "/witness");
        stage.publish(next);
        await().atMost(SOON).until(() -> stage.status(witness).equals("delivered"));
        assertThat(stage.deliveries(endpoint)).containsExactly(first);
    }

    /** A unique row that is written, and an attempt that never was: the redelivered event must not be skipped for ever. */
    @Test
    void aCrashAfterADeliveryWasStoredLeasedLeavesItToTheLeasesEnd() {
        deliverAndStop(Stage.paid(tenant));
        Document id = new Document("_id", stage.delivery(endpoint).orElseThrow().get("_id"));
        Document leased = new Document("status", "scheduled")
                .append("attempts", List.of())
                .append("claim", new Binary(new byte[16]))
                .append("body", new Binary("{}".getBytes()))
                .append("nextAttemptAt", new Date(System.currentTimeMillis() + 3000));
        Stage.run(stage.deliveries().updateOne(id, new Document("$set", leased)));
        stage.forgetOffsets();

        stage.startDispatcher();
        awaitStatus("delivered");
        assertThat(stage.deliveries(endpoint)).hasSize(1);
        // the redelivered event, then the delivery that was leased
        assertThat(stage.receiver().received("/hook")).hasSize(3);
    }

    private void deliverAndStop(TransactionEvent event) {
        ConfigurableApplicationContext dispatcher = stage.startDispatcher();
        stage.publish(event);
        awaitStatus("delivered");
        dispatcher.close();
    }

    private void awaitStatus(String status) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(stage.status(endpoint)).isEqualTo(status));
    }
}
