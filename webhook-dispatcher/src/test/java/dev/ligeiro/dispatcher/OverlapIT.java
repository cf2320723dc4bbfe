package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Batches that run at once: the first one waits for a slow endpoint, or for MongoDB, while the next ones are processed. */
@Tag("nightly")
class OverlapIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String[] LONG_WINDOW = {
        "ligeiro.webhook.total-timeout=2m", "ligeiro.webhook.batch-window=2m", "ligeiro.webhook.lease=10m"
    };

    private static final String[] SHORT_TRIES = {
        "ligeiro.intake.batch-timeout=1s", "ligeiro.intake.retry-delay-max=100ms"
    };

    private static final String REFUSING = "refusing";

    private final TestEnvironment environment = new TestEnvironment();
    private final WebhookEndpoint first = environment.endpoints().register(environment.tenant(), "/first");
    private final WebhookEndpoint second = environment.endpoints().register(environment.tenant(), "/second");
    private final TransactionEvent firstEvent = environment.paid(first.tenant());
    private final CountDownLatch release = new CountDownLatch(1);

    @BeforeEach
    void createTopic() {
        environment.events().createTopic();
    }

    @AfterEach
    void close() {
        release.countDown();
        environment.close();
    }

    @Test
    void aSlowEndpointDoesNotHoldUpTheNextBatch() {
        startWithASlowFirstBatch();
        publish(environment.paid(second.tenant()));

        await().atMost(SOON).until(() -> environment.deliveries().status(second).equals("delivered"));
        assertThat(environment.deliveries().of(first)).isEmpty();
        assertThat(environment.consumerGroup().lag()).isEqualTo(2);

        release.countDown();
        awaitAllDeliveredOnce();
    }

    @Test
    void severalBatchesWithSlowEndpointsDoNotHoldUpTheNextOne() {
        startWithASlowFirstBatch();
        for (String path : List.of("/slow-1", "/slow-2", "/slow-3")) {
            WebhookEndpoint slow = environment.endpoints().register(environment.tenant(), path);
            environment.receiver().behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
            publish(environment.paid(slow.tenant()));
            await().atMost(SOON).until(() -> received(path) == 1);
        }
        publish(environment.paid(second.tenant()));

        await().atMost(SOON).until(() -> environment.deliveries().status(second).equals("delivered"));
        assertThat(environment.consumerGroup().lag()).isEqualTo(5);

        release.countDown();
        awaitAllDeliveredOnce();
    }

    /** An endpoint that gets one webhook at a time, each of which takes 50 ms. The window of 1 s is over when half of them have started. */
    @Test
    void underOverloadTheIntakeWaitsAndNoDeliveryIsStoredTwice() {
        environment.receiver().behave("/first", (exchange, nth) -> {
            awaitRelease(Duration.ofMillis(50));
            WebhookReceiver.status(204).answer(exchange, nth);
        });
        environment.startDispatcher("ligeiro.webhook.batch-window=1s", "ligeiro.webhook.in-flight-per-endpoint-max=1");
        environment.awaitPartitions();
        for (int i = 0; i < 40; i++) {
            environment.events().publish(environment.paid(first.tenant()));
        }
        await().atMost(SOON).until(() -> environment.deliveries().count(first, "delivered") == 40);
        awaitNoLag();
        assertThat(received("/first")).isEqualTo(40);
        assertThat(environment.deliveries().updates()).isZero();
        assertThat(environment.lanes().count()).isZero();
    }

    private void awaitRelease(Duration max) {
        try {
            assertThat(release.await(max.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStopWaitsForTwoBatches() throws InterruptedException {
        ConfigurableApplicationContext dispatcher = startWithASlowFirstBatch();
        environment.receiver().behave("/second", WebhookReceiver.when(release, WebhookReceiver.status(200)));
        publish(environment.paid(second.tenant()));
        await().atMost(SOON).until(() -> received("/second") == 1);

        Thread stopping = new Thread(dispatcher::close, "stopping");
        stopping.start();
        await().atMost(SOON).until(dispatcher::isClosed);
        release.countDown();
        stopping.join(SOON.toMillis());
        awaitAllDeliveredOnce();
    }

    /** Otherwise the other process would make the same attempts. */
    @Test
    void aPartitionIsGivenBackWhenItsBatchesHaveEnded() {
        startWithASlowFirstBatch();
        publish(environment.paid(second.tenant()));
        await().atMost(SOON).until(() -> environment.deliveries().status(second).equals("delivered"));

        environment.startDispatcher(LONG_WINDOW);
        await().atMost(SOON).until(() -> environment.consumerGroup().members() == 2);
        await().during(Duration.ofSeconds(1))
                .until(() -> environment.consumerGroup().membersWithPartitions() == 1);
        release.countDown();
        await().atMost(SOON).until(() -> environment.consumerGroup().membersWithPartitions() == 2);
        awaitAllDeliveredOnce();
    }

    @Test
    void aBatchThatCannotBeStoredHoldsBackTheOffsetsOfTheNextOne() {
        refuseTheFirstDelivery();
        environment.startDispatcher(TestEnvironment.LONG_ATTEMPTS);
        environment.awaitPartitions();
        publish(firstEvent);
        await().atMost(SOON).until(() -> received("/first") == 1);
        publish(environment.paid(second.tenant()));

        await().atMost(SOON).until(() -> environment.deliveries().status(second).equals("delivered"));
        assertThat(environment.consumerGroup().lag()).isEqualTo(2);

        acceptAllDeliveries();
        awaitAllDeliveredOnce();
    }

    /**
     * With batches of one record, two are the largest that may run. The first is retried for longer than the listener waits; the third one is
     * taken when it is stored.
     */
    @Test
    void aBatchThatIsRefusedIsTakenLater() {
        refuseTheFirstDelivery();
        environment.startDispatcher(
                "ligeiro.intake.batch-timeout=1s",
                "ligeiro.intake.retry-delay-max=100ms",
                "spring.kafka.consumer.max-poll-records=1");
        environment.awaitPartitions();
        publish(firstEvent);
        await().atMost(SOON).until(() -> received("/first") == 1);
        publish(environment.paid(second.tenant()));
        await().atMost(SOON).until(() -> environment.deliveries().status(second).equals("delivered"));
        WebhookEndpoint third = environment.endpoints().register(environment.tenant(), "/third");
        publish(environment.paid(third.tenant()));
        awaitFailedTries(3);
        assertThat(environment.consumerGroup().lag()).isEqualTo(3);
        assertThat(received("/third")).isZero();
        assertThat(received("/first")).isEqualTo(1);

        acceptAllDeliveries();
        await().atMost(SOON).until(() -> environment.deliveries().status(third).equals("delivered"));
        awaitNoLag();
        assertThat(environment.deliveries().status(first)).isEqualTo("scheduled");
        assertThat(received("/second")).isEqualTo(1);
        // when the attempts of the first try must have ended
        environment.deliveries().makeAllDue();
        await().atMost(SOON).until(() -> environment.deliveries().status(first).equals("delivered"));
        assertThat(received("/first")).isEqualTo(2);
    }

    @Test
    void aDeadLetterIsWrittenOnceHoweverOftenItsBatchIsTried() {
        refuseTheFirstDelivery();
        // published before the start: all three are in one batch
        byte[] key = first.id().toString().getBytes();
        environment.events().publish(key, "without headers".getBytes(), List.of());
        environment
                .events()
                .publish(key, "not decodable".getBytes(), TestEvents.headers(first.tenant(), firstEvent.type()));
        publish(firstEvent);
        environment.startDispatcher(SHORT_TRIES);
        awaitFailedTries(3);

        acceptAllDeliveries();
        awaitNoLag();
        // the topic has one partition: when the last letter is read, all are
        String last = "after " + first.id();
        environment.events().publish(last.getBytes(), "without headers".getBytes(), List.of());
        await().atMost(SOON).until(() -> !environment.events().deadLetters(last).isEmpty());
        assertThat(environment.events().deadLetters(first.id().toString())).hasSize(2);
    }

    /** Waits until batches have failed this often from now on: each failed try of a batch logs one line. */
    private static void awaitFailedTries(int count) {
        try (CapturedLogs tries = new CapturedLogs("dev.ligeiro.dispatcher.intake.ProcessBatch")) {
            await().atMost(SOON).until(() -> tries.lines().size() >= count);
        }
    }

    private ConfigurableApplicationContext startWithASlowFirstBatch() {
        environment.receiver().behave("/first", WebhookReceiver.when(release, WebhookReceiver.status(200)));
        ConfigurableApplicationContext dispatcher = environment.startDispatcher(LONG_WINDOW);
        environment.awaitPartitions();
        publish(firstEvent);
        await().atMost(SOON).until(() -> received("/first") == 1);
        return dispatcher;
    }

    /** One key: one partition, whose offsets are committed in order. */
    private void publish(TransactionEvent event) {
        Tenant tenant = event.transaction().tenant();
        environment
                .events()
                .publish(
                        first.id().toString().getBytes(),
                        MessageJson.write(event),
                        TestEvents.headers(tenant, event.type()));
    }

    /**
     * MongoDB refuses the first delivery by an error that does not blame the document, so that it counts as an outage: a hashed index cannot
     * take an array.
     */
    private void refuseTheFirstDelivery() {
        Binary id = new Binary(new DeliveryId(first.id(), firstEvent.id()).bytes());
        TestEnvironment.run(environment
                .deliveries()
                .collection()
                .createIndex(
                        Indexes.hashed(DeliveryFields.ATTEMPTS),
                        new IndexOptions().name(REFUSING).partialFilterExpression(Filters.eq(id))));
    }

    private void acceptAllDeliveries() {
        TestEnvironment.run(environment.deliveries().collection().dropIndex(REFUSING));
    }

    private void awaitAllDeliveredOnce() {
        awaitNoLag();
        assertThat(environment.deliveries().status(first)).isEqualTo("delivered");
        assertThat(environment.deliveries().status(second)).isEqualTo("delivered");
        assertThat(received("/first")).isEqualTo(1);
        assertThat(received("/second")).isEqualTo(1);
    }

    private void awaitNoLag() {
        await().atMost(SOON)
                .until(() -> Objects.equals(environment.consumerGroup().lag(), 0L));
    }

    private int received(String path) {
        return environment.receiver().received(path).size();
    }
}
