package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** One dispatcher, and endpoints that hang, fail or come back: their lanes, and what others notice of them. */
class LaneIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher(
            "ligeiro.webhook.total-timeout=50s",
            "ligeiro.webhook.lease=180s",
            "ligeiro.webhook.lane.failures-max=5",
            "ligeiro.webhook.lane.open-min=1s",
            "ligeiro.webhook.lane.open-max=2s");

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();
    private static final WebhookReceiver RECEIVER = ENVIRONMENT.receiver();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final String path = "/" + tenant.key();
    private final CountDownLatch release = new CountDownLatch(1);

    /** The first delivery of a process takes longer than others. */
    @BeforeAll
    static void deliverOne() {
        WebhookEndpoint first = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), "/first");
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(first.tenant()));
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(first, "delivered") == 1);
    }

    /** The tenant's share is 128 of 512 attempts at once; its 20 endpoints could have 400. */
    @Test
    void aTenantWithTwentyHangingEndpointsDelaysNobodyElse() {
        for (int i = 0; i < 20; i++) {
            RECEIVER.behave(path + i, WebhookReceiver.when(release, WebhookReceiver.status(200)));
            ENVIRONMENT.endpoints().register(tenant, path + i);
        }
        for (int i = 0; i < 20; i++) {
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        }
        WebhookEndpoint quick = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path + "/quick");
        for (int i = 1; i <= 20; i++) {
            int deliveries = i;
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(quick.tenant()));
            // less than the time-out, by which the hanging attempts would end
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> RECEIVER.received(path + "/quick").size() >= deliveries);
        }
        // the last quick attempt is counted until its outcome is known, which is after the receiver has seen it
        await().atMost(SOON).untilAsserted(() -> assertThat(inFlight()).isBetween(1.0, 128.0));
        release.countDown();
    }

    /** Without the breaker, the four attempts of each delivery, 240 in all, would be over after 400 ms. */
    @Test
    void anOpenBreakerUsesUpNoStepAndAHalfOpenOneDrainsTheBacklogStepByStep() {
        AtomicBoolean repaired = new AtomicBoolean();
        AtomicInteger running = new AtomicInteger();
        List<Integer> atOnce = new ArrayList<>();
        RECEIVER.behave(path, (exchange, nth) -> {
            if (!repaired.get()) {
                WebhookReceiver.status(500).answer(exchange, nth);
                return;
            }
            synchronized (atOnce) {
                atOnce.add(running.incrementAndGet());
            }
            running.decrementAndGet();
            WebhookReceiver.status(200).answer(exchange, nth);
        });
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        for (int i = 0; i < 60; i++) {
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        }
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(endpoint).size() == 60);
        await().atMost(SOON).until(() -> lane(endpoint).get("openUntil") != null);
        int failed = RECEIVER.received(path).size();
        assertThat(failed).isLessThan(120);
        assertThat(ENVIRONMENT.deliveries().count(endpoint, "scheduled")).isGreaterThan(30);

        repaired.set(true);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "scheduled") == 0);
        assertThat(ENVIRONMENT.deliveries().count(endpoint, "delivered")).isGreaterThan(30);
        assertThat(atOnce.get(0)).isEqualTo(1);
        await().atMost(SOON).until(() -> lane(endpoint).isEmpty());
    }

    @Test
    void aDeliveryThatCannotBeReadIsSetAsideAndTheOthersGoOn() {
        RECEIVER.behave(path, WebhookReceiver.firstTimes(1, WebhookReceiver.status(500), WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent unreadable = ENVIRONMENT.paid(tenant);
        Binary id = new Binary(new DeliveryId(endpoint.id(), unreadable.id()).bytes());
        TestEnvironment.run(ENVIRONMENT
                .deliveries()
                .collection()
                .insertOne(new Document("_id", id)
                        .append("endpoint", endpoint.id())
                        .append("status", "scheduled")
                        .append("nextAttemptAt", new Date(0))
                        .append("attempts", List.of(new Document("outcome", "melted")))));
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));

        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "delivered") == 1);
        await().atMost(SOON).untilAsserted(() -> assertThat(ENVIRONMENT.deliveries().of(endpoint).stream()
                        .filter(delivery -> id.equals(delivery.get("_id")))
                        .map(delivery -> delivery.getDate("nextAttemptAt").toInstant()))
                .singleElement()
                .satisfies(at -> assertThat(at).isAfter(Instant.now().plusSeconds(3000))));
        await().atMost(SOON)
                .until(() -> meters().get("ligeiro.webhook.deliveries.unreadable")
                                .counter()
                                .count()
                        > 0);
    }

    /** A gateway has died between its two writes. */
    @Test
    void aScheduledDeliveryWithoutALaneIsFound() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.insertDue(endpoint);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "delivered") == 1);
        assertThat(RECEIVER.received(path)).hasSize(1);
        await().atMost(SOON).until(() -> lane(endpoint).isEmpty());
    }

    /** A version that writes lanes in another form, or an operator's hand. */
    @ParameterizedTest
    @CsvSource({"marks, 1", "failures, many", "dueAt, soon", "tenant, shop"})
    void aLaneThatCannotBeDecodedIsCreatedAgainAndDelaysNoOther(String field, String value) {
        WebhookEndpoint damaged = ENVIRONMENT.endpoints().register(tenant, path);
        Document lane = new Document("_id", damaged.id())
                .append("tenant", tenant.key())
                .append("dueAt", Instant.now())
                .append("marks", 1L)
                .append(field, value);
        TestEnvironment.run(ENVIRONMENT.lanes().collection().insertOne(lane));
        WebhookEndpoint other = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path + "/other");
        ENVIRONMENT.insertDue(other);
        ENVIRONMENT.lanes().markDue(other);
        ENVIRONMENT.deliveries().awaitStatus(other, "delivered");

        ENVIRONMENT.insertDue(damaged);
        ENVIRONMENT.deliveries().awaitStatus(damaged, "delivered");
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(damaged, "delivered") == 2);
    }

    /** Its lane is claimed, so its version is read with each due check. */
    @Test
    void anEndpointWhoseVersionCannotBeReadDelaysNoOther() {
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint damaged = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.insertDue(damaged);
        ENVIRONMENT.lanes().markDue(damaged);
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 1);
        ENVIRONMENT.endpoints().set(damaged, "version", 7L);

        WebhookEndpoint other = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path + "/other");
        ENVIRONMENT.insertDue(other);
        ENVIRONMENT.lanes().markDue(other);
        ENVIRONMENT.deliveries().awaitStatus(other, "delivered");
        release.countDown();
    }

    @Test
    void aProcessThatLosesItsLaneStartsNoFurtherAttempt() {
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        for (int i = 0; i < 30; i++) {
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        }
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 20);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(endpoint).size() == 30);
        double lost = lost();
        TestEnvironment.run(ENVIRONMENT
                .lanes()
                .collection()
                .updateOne(
                        new Document("_id", endpoint.id()),
                        new Document(
                                "$set",
                                new Document("claim", UUID.randomUUID())
                                        .append("leaseUntil", Instant.now().plusSeconds(3600)))));
        await().atMost(SOON).until(() -> lost() > lost);
        release.countDown();
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "delivered") == 20);
        assertThat(RECEIVER.received(path)).hasSize(20);
        assertThat(ENVIRONMENT.deliveries().count(endpoint, "scheduled")).isEqualTo(10);
    }

    /** An endpoint that answers after 400 ms outlasts the window of 250 ms. */
    @Test
    void aSlowEndpointHoldsUpTheIntakeOnlyOnce() {
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint slow = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        // the lane is marked after the delivery is stored
        await().atMost(SOON).until(() -> lane(slow).get("slowUntil") != null);

        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(slow).size() == 2);
        Document second = ENVIRONMENT.deliveries().newest(slow).orElseThrow();
        assertThat(second.getDate("nextAttemptAt")).isBefore(Instant.now());
        assertThat(second).doesNotContainKey("body");
        release.countDown();
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(slow, "delivered") == 2);
        assertThat(RECEIVER.received(path)).hasSize(2);
    }

    /**
     * 20 attempts run and 40 deliveries wait when the merchant changes the URL. Then the old URL answers 410, which says nothing about the
     * new one.
     */
    @Test
    void aChangedUrlGetsAllDeliveriesThatTheOldOneHasNotTaken() {
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(410)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        for (int i = 0; i < 60; i++) {
            ENVIRONMENT.insertDue(endpoint);
        }
        ENVIRONMENT.lanes().markDue(endpoint);
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 20);

        ENVIRONMENT.endpoints().changeUrl(endpoint, path + "/new");
        ENVIRONMENT.lanes().markDue(endpoint);
        awaitALook();
        release.countDown();
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "delivered") == 60);

        assertThat(RECEIVER.received(path)).hasSize(20);
        assertThat(ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"))
                .isTrue();
    }

    /**
     * Waits until the dispatcher has looked at its lanes. A look ends with claiming the due ones, so the one that claims the second lane
     * has begun after the first was claimed.
     */
    private void awaitALook() {
        for (int i = 0; i < 2; i++) {
            WebhookEndpoint witness = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path + "/witness");
            ENVIRONMENT.insertDue(witness);
            ENVIRONMENT.lanes().markDue(witness);
            ENVIRONMENT.deliveries().awaitStatus(witness, "delivered");
        }
    }

    private static Document lane(WebhookEndpoint endpoint) {
        return ENVIRONMENT.lanes().of(endpoint);
    }

    private static double inFlight() {
        return meters().get("ligeiro.webhook.attempts.in_flight").gauge().value();
    }

    private static double lost() {
        return meters().get("ligeiro.webhook.leases.lost").counter().count();
    }

    private static MeterRegistry meters() {
        ConfigurableApplicationContext dispatcher = ENVIRONMENT.dispatchers().get(0);
        return dispatcher.getBean(MeterRegistry.class);
    }
}
