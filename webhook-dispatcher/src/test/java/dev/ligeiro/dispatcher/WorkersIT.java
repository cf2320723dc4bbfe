package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** Several dispatchers at once. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WorkersIT {

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int ENDPOINTS = 10;
    private static final int EVENTS = 30;

    private static final String[] RETRY_IN_AN_HOUR = {
        "ligeiro.webhook.retry.delays=0s,1h,1h",
        "ligeiro.webhook.lane.failures-max=100000",
        "ligeiro.webhook.total-timeout=50s",
        "ligeiro.webhook.lease=180s"
    };
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final List<WebhookEndpoint> endpoints = new ArrayList<>();

    @BeforeAll
    static void startThree() {
        ENVIRONMENT.events().createTopic();
        for (int i = 0; i < 3; i++) {
            ENVIRONMENT.startDispatcher(RETRY_IN_AN_HOUR);
        }
        awaitStable();
        ENVIRONMENT.awaitPartitions();
    }

    /** Returns when no rebalance is under way. During one, Kafka may redeliver a batch, and its events are attempted twice. */
    private static void awaitStable() {
        await().atMost(SOON).until(() -> ENVIRONMENT.consumerGroup().membersWithPartitions() == 3);
        await().atMost(SOON).until(ENVIRONMENT.consumerGroup()::isStable);
    }

    @AfterAll
    static void close() {
        ENVIRONMENT.close();
    }

    @Test
    @Order(1)
    void aDueDeliveryIsAttemptedByOneOfThem() {
        for (int i = 0; i < ENDPOINTS; i++) {
            ENVIRONMENT
                    .receiver()
                    .behave(
                            "/hook" + i,
                            WebhookReceiver.firstTimes(
                                    EVENTS, WebhookReceiver.status(500), WebhookReceiver.status(200)));
            endpoints.add(ENVIRONMENT.endpoints().register(tenant, "/hook" + i));
        }
        for (int i = 0; i < EVENTS; i++) {
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        }
        await().atMost(SOON).until(() -> countAttemptedOnce() == ENDPOINTS * EVENTS);

        // as if the hour had passed: all deliveries are due at once, for all three dispatchers
        ENVIRONMENT.deliveries().makeAllDue();
        await().atMost(SOON).until(() -> count("delivered") == ENDPOINTS * EVENTS);
        for (int i = 0; i < ENDPOINTS; i++) {
            assertThat(ENVIRONMENT.receiver().received("/hook" + i).stream()
                            .collect(Collectors.groupingBy(
                                    webhook -> webhook.header("webhook-id"), Collectors.counting())))
                    .hasSize(EVENTS)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(2));
        }
    }

    @Test
    @Order(2)
    void oneOfThemVisitsAllEndpoints() {
        // the sweep of each has run by now or does so within a second
        await().atMost(SOON).until(() -> reporting("ligeiro.webhook.due") == 3);
        await().during(Duration.ofSeconds(3)).atMost(SOON).until(() -> reporting("ligeiro.webhook.due.oldest") == 1);
    }

    private static long reporting(String gauge) {
        return ENVIRONMENT.dispatchers().stream()
                .filter(dispatcher ->
                        dispatcher.getBean(MeterRegistry.class).find(gauge).gauge() != null)
                .count();
    }

    /**
     * A dispatcher without a partition makes retries. If it were not ready, a rollout with more processes than partitions would
     * never end.
     */
    @Test
    @Order(3)
    void aDispatcherWithoutAPartitionIsReady() {
        ENVIRONMENT.startDispatcher(RETRY_IN_AN_HOUR);
        assertThat(ENVIRONMENT.dispatchers()).hasSize(4).allSatisfy(dispatcher -> {
            HealthIndicator consumer = dispatcher.getBean("consumerHealthIndicator", HealthIndicator.class);
            await().atMost(SOON)
                    .until(() -> Objects.requireNonNull(consumer.health()).getStatus() == Status.UP);
        });
    }

    /** Deliveries whose first attempt has failed. */
    private long countAttemptedOnce() {
        return endpoints.stream()
                .flatMap(endpoint -> ENVIRONMENT.deliveries().of(endpoint).stream())
                .filter(delivery -> delivery.getList("attempts", Document.class).size() == 1)
                .count();
    }

    private long count(String status) {
        return endpoints.stream()
                .flatMap(endpoint -> ENVIRONMENT.deliveries().of(endpoint).stream())
                .filter(delivery -> status.equals(delivery.getString("status")))
                .count();
    }
}
