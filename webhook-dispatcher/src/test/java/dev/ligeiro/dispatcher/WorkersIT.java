package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** Several dispatchers at once. */
class WorkersIT {

    private static final Duration SOON = Duration.ofSeconds(40);
    private static final int ENDPOINTS = 10;
    private static final int EVENTS = 30;

    private final Stage stage = new Stage();
    private final Tenant tenant = stage.tenant();
    private final List<WebhookEndpoint> endpoints = new ArrayList<>();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void whatIsDueIsAttemptedByOneOfThemAlone() {
        stage.createTopic();
        for (int i = 0; i < ENDPOINTS; i++) {
            stage.receiver()
                    .behave(
                            "/hook" + i,
                            WebhookReceiver.firstTimes(
                                    EVENTS, WebhookReceiver.status(500), WebhookReceiver.status(200)));
            endpoints.add(stage.register(tenant, "/hook" + i));
        }
        stage.startDispatcher("ligeiro.webhook.retry.delays=0s,1h,1h");
        for (int i = 0; i < EVENTS; i++) {
            stage.publish(Stage.paid(tenant));
        }
        await().atMost(SOON).until(() -> count("scheduled") == ENDPOINTS * EVENTS);
        stage.startDispatcher("ligeiro.webhook.retry.delays=0s,1h,1h");
        stage.startDispatcher("ligeiro.webhook.retry.delays=0s,1h,1h");

        // all come due at once, before all three
        Stage.run(stage.deliveries()
                .updateMany(new Document(), new Document("$set", new Document("nextAttemptAt", new Date(0)))));
        await().atMost(SOON).until(() -> count("delivered") == ENDPOINTS * EVENTS);
        for (int i = 0; i < ENDPOINTS; i++) {
            assertThat(stage.receiver().received("/hook" + i).stream()
                            .collect(Collectors.groupingBy(
                                    webhook -> webhook.header("webhook-id"), Collectors.counting())))
                    .hasSize(EVENTS)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(2));
        }
    }

    /** It makes retries; were it never ready, no rollout with more processes than partitions would end. */
    @Test
    void aDispatcherThatThereIsNoPartitionForIsReady() {
        stage.createTopic();
        for (int i = 0; i < 4; i++) {
            HealthIndicator kafka = stage.startDispatcher().getBean("kafkaHealthIndicator", HealthIndicator.class);
            await().atMost(SOON)
                    .until(() -> Objects.requireNonNull(kafka.health()).getStatus() == Status.UP);
        }
    }

    private long count(String status) {
        return endpoints.stream()
                .flatMap(endpoint -> stage.deliveries(endpoint).stream())
                .filter(delivery -> status.equals(delivery.getString("status")))
                .count();
    }
}
