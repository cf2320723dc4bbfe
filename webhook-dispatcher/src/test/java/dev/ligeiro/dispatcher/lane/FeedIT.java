package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.ReadConcern;
import dev.ligeiro.dispatcher.TestEnvironment;
import dev.ligeiro.dispatcher.TestTransactions;
import dev.ligeiro.dispatcher.lane.FeedStore.Due;
import dev.ligeiro.dispatcher.lane.FeedStore.Last;
import dev.ligeiro.dispatcher.lane.FeedStore.NumbersTaken;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One dispatcher, which does not look for missing lanes: a test may give numbers by itself, as other processes. */
class FeedIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final WebhookEndpoint feed = ENVIRONMENT.endpoints().makeFeed(tenant);
    private final FeedStore store = ENVIRONMENT.dispatchers().get(0).getBean(FeedStore.class);

    @BeforeAll
    static void start() {
        ENVIRONMENT.events().createTopic();
        ENVIRONMENT.startDispatcher("ligeiro.webhook.lane.sweep-interval=1h");
        WebhookEndpoint first = ENVIRONMENT.endpoints().makeFeed(ENVIRONMENT.tenant());
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(first.tenant()));
        await().atMost(SOON).until(() -> numbers(first).equals(List.of(1L)));
    }

    @AfterAll
    static void stop() {
        ENVIRONMENT.close();
    }

    @Test
    void everyEventGetsOneNumberAlsoWhenItArrivesAgain() {
        publish(29);
        Transaction paid = TestTransactions.paid(tenant);
        ENVIRONMENT.events().publish(TransactionEvent.of(paid, 2));
        // the processor announces it too
        ENVIRONMENT.events().publish(TransactionEvent.of(paid, 1));
        await().atMost(SOON).until(() -> numbers(feed).equals(upTo(31)));
        Map<Binary, Long> numbered = byId();

        ENVIRONMENT.consumerGroup().renew();
        ConfigurableApplicationContext second = ENVIRONMENT.startDispatcher("ligeiro.webhook.lane.sweep-interval=1h");
        publish(1);

        await().atMost(SOON).until(() -> ENVIRONMENT.consumerGroup().lag() == 0);
        await().atMost(SOON).until(() -> numbers(feed).equals(upTo(32)));
        assertThat(byId()).containsAllEntriesOf(numbered);
        assertThat(ENVIRONMENT.deliveries().of(feed)).allSatisfy(delivery -> {
            assertThat(delivery.getString("status")).isEqualTo("delivered");
            assertThat(delivery.getDate("endedAt")).isCloseTo(new Date(), 300_000);
            assertThat(delivery).containsKey("endpoint").doesNotContainKeys("body", "nextAttemptAt");
        });
        await().atMost(SOON).until(() -> ENVIRONMENT.lanes().of(feed).isEmpty());
        assertThat(kept()).isEqualTo(32);
        // it would receive the events of the next tests too, also after a test has deleted their deliveries
        second.close();
    }

    @Test
    void numbersGoOnWhenTheDeliveriesHaveBeenDeleted() {
        publish(3);
        await().atMost(SOON).until(() -> kept() == 3);
        ENVIRONMENT.deliveries().of(feed).forEach(FeedIT::delete);

        publish(1);
        await().atMost(SOON).until(() -> numbers(feed).equals(List.of(4L)));
    }

    /** The first process was paused between its read and its write, for longer than its lease. */
    @Test
    void anOvertakenProcessGivesNoNumber() {
        insertDue(5);
        List<Due> read = due(5);
        number(read, 1);
        Map<Binary, Long> numbered = byId();

        assertThatThrownBy(() -> number(read, 1)).isInstanceOf(NumbersTaken.class);
        assertThat(byId()).isEqualTo(numbered);
    }

    /** The second process has read an event that the first one has not: they number the others differently. */
    @Test
    void anOvertakenProcessStopsAtTheFirstNumberThatIsGiven() {
        insertDue(4);
        List<Due> read = due(4);
        number(List.of(read.get(3)), 1);

        assertThatThrownBy(() -> number(read, 1)).isInstanceOf(NumbersTaken.class);
        assertThat(numbers(feed)).containsExactly(0L, 0L, 0L, 1L);
        number(read.subList(0, 1), 2);
        assertThatThrownBy(() -> number(read.subList(0, 2), 3)).isInstanceOf(NumbersTaken.class);
        assertThat(numbers(feed)).containsExactly(0L, 0L, 1L, 2L);
    }

    @Test
    void theNextProcessKeepsTheNumberThatADeadOneHasNotKept() {
        insertDue(2);
        number(due(2), 1);
        assertThat(store.last(feed.id()).block(SOON)).isEqualTo(new Last(2, 0));

        assertThat(store.number(feed.id(), Instant.now()).block(SOON)).isFalse();
        assertThat(store.last(feed.id()).block(SOON)).isEqualTo(new Last(2, 2));
    }

    /** As if no lease held: four processes number the same feed in small batches, while a reader looks at it. */
    @Test
    void processesInARaceLeaveNoGapAndUseNoNumberTwice() {
        int count = 200;
        insertDue(count);
        CyclicBarrier together = new CyclicBarrier(4);
        List<CompletableFuture<Integer>> owners = IntStream.range(0, 4)
                .mapToObj(owner ->
                        CompletableFuture.supplyAsync(() -> numberAll(together), task -> new Thread(task).start()))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(owners.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            List<Long> seen = seen();
            assertThat(seen)
                    .as(() -> "read again: " + seen() + ", all that are stored: " + numbers(feed))
                    .isEqualTo(upTo(seen.size()));
        }
        assertThat(numbers(feed)).isEqualTo(upTo(count));
        int overtaken = owners.stream().mapToInt(CompletableFuture::join).sum();
        assertThat(overtaken).as("conflicts").isPositive();
    }

    /** Gives how often another process was quicker. All have read before one writes, so there is at least one conflict. */
    private int numberAll(CyclicBarrier together) {
        int overtaken = 0;
        List<Due> due = due(batch());
        long first = next();
        awaitAll(together);
        while (!due.isEmpty()) {
            try {
                number(due, first);
            } catch (NumbersTaken taken) {
                overtaken++;
            }
            due = due(batch());
            first = next();
        }
        return overtaken;
    }

    private long next() {
        return Objects.requireNonNull(store.last(feed.id()).block(SOON)).number() + 1;
    }

    private static void awaitAll(CyclicBarrier together) {
        try {
            together.await(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static int batch() {
        return ThreadLocalRandom.current().nextInt(1, 20);
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        }
    }

    /** Deliveries that no lane knows. */
    private void insertDue(int count) {
        for (int i = 0; i < count; i++) {
            ENVIRONMENT.deliveries().insertDue(feed, ENVIRONMENT.paid(tenant));
        }
    }

    private List<Due> due(int limit) {
        return Objects.requireNonNull(
                store.due(feed.id(), Instant.now().plusSeconds(60), limit).block(SOON));
    }

    private void number(List<Due> due, long first) {
        store.number(feed.id(), due, first, NOW).block(SOON);
    }

    private long kept() {
        return ENVIRONMENT.endpoints().stored(feed).get(EndpointFields.LAST_NUMBER, 0L);
    }

    private Map<Binary, Long> byId() {
        return ENVIRONMENT.deliveries().of(feed).stream()
                .collect(Collectors.toMap(delivery -> delivery.get("_id", Binary.class), FeedIT::number));
    }

    /** The numbers in ascending order, 0 for a delivery without one. */
    private static List<Long> numbers(WebhookEndpoint feed) {
        return ENVIRONMENT.deliveries().of(feed).stream()
                .map(FeedIT::number)
                .sorted(Comparator.comparing(Function.identity()))
                .toList();
    }

    /** The numbers as the gateway reads them: with another index, MongoDB could miss a row that is numbered during the scan. */
    private List<Long> seen() {
        return Flux.from(ENVIRONMENT
                        .deliveries()
                        .collection()
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(new Document("endpoint", feed.id()).append("feedNumber", new Document("$gte", 1L)))
                        .hintString(DeliveryFields.FEED_INDEX)
                        .sort(new Document("endpoint", 1).append("feedNumber", 1)))
                .map(FeedIT::number)
                .collectList()
                .blockOptional(SOON)
                .orElseThrow();
    }

    private static long number(Document delivery) {
        return delivery.get("feedNumber", 0L);
    }

    private static List<Long> upTo(int count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    private static void delete(Document delivery) {
        Mono.from(ENVIRONMENT.deliveries().collection().deleteOne(new Document("_id", delivery.get("_id"))))
                .block(SOON);
    }
}
