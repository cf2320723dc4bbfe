package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Outages of MongoDB and Kafka, before and after the start of the dispatcher. */
class OutageIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final TestEnvironment environment = new TestEnvironment();
    private final int port = Ports.free();
    private final Api actuator = new Api("http://127.0.0.1:" + port + "/actuator", null);

    @AfterEach
    void close() {
        TestBrokers.mongodb().start();
        TestBrokers.kafka().start();
        environment.close();
    }

    @Test
    void eventsOfAnOutageOfMongodbAreDeliveredWhenItIsBack() {
        environment.events().createTopic();
        Tenant tenant = environment.tenant();
        WebhookEndpoint endpoint = environment.endpoints().register(tenant, "/hook");
        startWithHttp();
        awaitHealth("readiness", 200);
        List<TransactionEvent> events =
                Stream.generate(() -> environment.paid(tenant)).limit(5).toList();
        TestBrokers.mongodb().stop();
        awaitHealth("readiness", 503);
        assertThat(health("liveness")).isEqualTo(200);
        events.forEach(environment.events()::publish);
        TestBrokers.mongodb().start();
        awaitDelivered(endpoint, 5);
        awaitHealth("readiness", 200);
    }

    @Test
    @Tag("nightly")
    void eventsAfterAnOutageOfKafkaAreDelivered() {
        environment.events().createTopic();
        Tenant tenant = environment.tenant();
        WebhookEndpoint endpoint = environment.endpoints().register(tenant, "/hook");
        startWithHttp();
        publish(2, tenant);
        awaitDelivered(endpoint, 2);
        TestBrokers.kafka().freeze();
        awaitHealth("readiness", 503);
        assertThat(health("liveness")).isEqualTo(200);
        TestBrokers.kafka().start();
        publish(3, tenant);
        awaitDelivered(endpoint, 5);
        awaitHealth("readiness", 200);
    }

    @Test
    @Tag("nightly")
    void itStartsBeforeMongodbAndTheTopicExist() {
        Tenant tenant = environment.tenant();
        WebhookEndpoint endpoint = environment.endpoints().register(tenant, "/hook");
        environment.events().deleteTopic();
        TestBrokers.mongodb().stop();
        startWithHttp();
        assertThat(health("liveness")).isEqualTo(200);
        TestBrokers.mongodb().start();
        environment.events().createTopic();
        publish(1, tenant);
        awaitDelivered(endpoint, 1);
        awaitHealth("readiness", 200);
        // the lane worker may still be in its pause between two tries
        await().atMost(SOON).untilAsserted(() -> assertThat(
                        Flux.from(environment.deliveries().collection().listIndexes())
                                .map(index -> index.getString("name"))
                                .collectList()
                                .blockOptional(SOON)
                                .orElseThrow())
                .containsExactlyInAnyOrder("_id_", "lane", "ended", "feed"));
    }

    /** 20 attempts run and 40 deliveries wait when MongoDB goes away, so that their payloads cannot be read. */
    @Test
    @Tag("nightly")
    void aLaneGoesOnAfterAnOutage() {
        environment.events().createTopic();
        CountDownLatch release = new CountDownLatch(1);
        environment.receiver().behave("/lane", WebhookReceiver.when(release, WebhookReceiver.status(200)));
        environment.startDispatcher(
                // the lane is not found before all deliveries are there
                "ligeiro.webhook.lane.sweep-interval=1h",
                "ligeiro.webhook.total-timeout=50s",
                "ligeiro.webhook.lease=180s",
                "ligeiro.mongodb.operation-timeout=1s");
        WebhookEndpoint endpoint = environment.endpoints().register(environment.tenant(), "/lane");
        for (int i = 0; i < 60; i++) {
            environment.insertDue(endpoint);
        }
        environment.lanes().markDue(endpoint);
        await().atMost(SOON)
                .until(() -> environment.receiver().received("/lane").size() == 20);

        try (CapturedLogs failures = new CapturedLogs("dev.ligeiro.dispatcher.lane.LaneRun")) {
            TestBrokers.mongodb().stop();
            release.countDown();
            await().atMost(SOON).until(() -> !failures.lines().isEmpty());
        }
        TestBrokers.mongodb().start();
        awaitDelivered(endpoint, 60);
        assertThat(environment.receiver().received("/lane")).hasSize(60);
    }

    private void startWithHttp() {
        // the consumer sends a heartbeat every second, so that an outage of Kafka is noticed after two
        List<String> settings = new ArrayList<>(ConsumerGroups.session(Duration.ofSeconds(3)));
        settings.add("management.server.port=" + port);
        settings.add("ligeiro.intake.heartbeat-age-max=2s");
        environment.startDispatcherWithHttp(settings.toArray(String[]::new));
    }

    private void publish(int count, Tenant tenant) {
        for (int i = 0; i < count; i++) {
            environment.events().publish(environment.paid(tenant));
        }
    }

    private void awaitDelivered(WebhookEndpoint endpoint, int count) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> {
            List<String> statuses = new ArrayList<>();
            for (Document delivery : environment.deliveries().of(endpoint)) {
                statuses.add(delivery.getString("status"));
            }
            assertThat(statuses).hasSize(count).containsOnly("delivered");
        });
    }

    private void awaitHealth(String group, int status) {
        await().atMost(SOON).untilAsserted(() -> assertThat(health(group)).isEqualTo(status));
    }

    private int health(String group) {
        return actuator.get("/health/" + group).status();
    }
}
