package dev.ligeiro.gateway.publish;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Updates;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.QueuedChange;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two gateways on one database with a clock that only the tests move. No processor runs: a test commits the offsets of its group. The
 * gateways have not published the transactions that a test stores itself.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepublishIT {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration APPEND_DELAY_MAX = Duration.ofSeconds(60);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(150);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final int PARTITIONS = 2;
    private static final Duration QUIET = Duration.ofMillis(300);

    private final TestClock clock = TestClock.frozen();
    private final String group = group(Topics.COMMANDS);
    private final String dispatchers = group(Topics.EVENTS);
    private final String books = group(Topics.EVENTS);
    private final String database = RunningGateway.newDatabase();
    private final RunningGateway gateway = start(database);
    private final RunningGateway other = start(database);
    private final StoredData stored = gateway.stored();
    private final SentCommands commands = gateway.commands();

    @AfterEach
    void startKafkaAndAcceptAll() {
        TestBrokers.kafka().start();
        stored.acceptAll();
    }

    @AfterAll
    void close() {
        other.close();
        gateway.close();
    }

    @Test
    void aCommandThatWaitsInKafkaIsNotCopiedHoweverLongItWaits() {
        TestMerchant merchant = gateway.newMerchant();
        String waiting = merchant.created(merchant.cashin());
        await().untilAsserted(() -> assertThat(commands.of(waiting)).hasSize(1));

        clock.move(Duration.ofDays(3));
        awaitPass();

        await().during(QUIET)
                .untilAsserted(() -> assertThat(commands.of(waiting)).hasSize(1));

        // it ends as a dead letter: its record is passed, the transaction is not accepted. The clock's jump has ended a
        // lease, so another gateway may send a copy too, which has no effect
        await().untilAsserted(() -> {
            ConsumerGroups.passAll(group, Topics.COMMANDS);
            commands.readToTheEnd();
            assertThat(commands.of(waiting)).hasSizeGreaterThanOrEqualTo(2);
        });
    }

    @Test
    void anUnpublishedTransactionIsRepublishedOnceAndAgainAfterGrowingPauses() {
        Transaction lost = Transactions.cashin(TransactionId.at(clock.instant()), new Amount(100));
        Transaction accepted = Transactions.cashin(TransactionId.at(clock.instant()), new Amount(200))
                .accept();
        stored.insert(List.of(lost, accepted));

        Duration moment = Duration.ofSeconds(1);
        assertCommandsAfter(APPEND_DELAY_MAX.minus(moment), lost, 0);
        assertCommandsAfter(moment.multipliedBy(2), lost, 1);
        // each pause is as long as the age, at most PAUSE_MAX
        assertCommandsAfter(APPEND_DELAY_MAX.minus(moment), lost, 1);
        assertCommandsAfter(moment.multipliedBy(3), lost, 2);
        assertCommandsAfter(APPEND_DELAY_MAX.multipliedBy(2).minus(moment), lost, 2);
        assertCommandsAfter(moment.multipliedBy(6), lost, 3);
        assertCommandsAfter(PAUSE_MAX.minus(moment), lost, 3);
        assertCommandsAfter(moment.multipliedBy(2), lost, 4);

        assertThat(commands.of(lost.id().toString())).containsOnly(new TransactionCommand.Process(lost));
        assertThat(commands.of(accepted.id().toString())).isEmpty();

        stored.move(lost.id().toString());
        clock.move(Duration.ofDays(30));
        assertCommandsAfter(MILLISECOND, lost, 4);
    }

    @Test
    void aCopyThatWaitsInKafkaIsNotFollowedByAnother() {
        Transaction lost = Transactions.cashin(TransactionId.at(clock.instant()), new Amount(100));
        stored.insert(List.of(lost));
        awaitSettled();
        forward(APPEND_DELAY_MAX.plus(MILLISECOND));
        await().untilAsserted(
                        () -> assertThat(commands.of(lost.id().toString())).hasSize(1));

        clock.move(Duration.ofDays(1));
        awaitPass();

        await().during(QUIET)
                .untilAsserted(
                        () -> assertThat(commands.of(lost.id().toString())).hasSize(1));
    }

    @Test
    void commandsDeletedFromKafkaBeforeTheProcessorsReadThemAreRepublished() {
        TestMerchant merchant = gateway.newMerchant();
        List<String> deleted = Stream.generate(() -> merchant.created(merchant.cashin()))
                .limit(3)
                .toList();
        await().untilAsserted(() ->
                assertThat(deleted).allSatisfy(id -> assertThat(commands.of(id)).hasSize(1)));

        TestTopics.deleteRecords(Topics.COMMANDS);
        forward(APPEND_DELAY_MAX.plus(MILLISECOND));

        await().untilAsserted(() -> {
            // changes of other tests are announced again, which the processors pass
            ConsumerGroups.passAll(group, Topics.COMMANDS);
            assertThat(deleted).allSatisfy(id -> assertThat(commands.of(id)).hasSize(2));
        });
    }

    /** The events were acknowledged, or the process that stored the change died before it sent them. */
    @ParameterizedTest
    @ValueSource(strings = {Topics.COMMANDS, Topics.EVENTS})
    void changesWhoseRecordsKafkaHasLostAreAnnouncedAgain(String topic) {
        passAll();
        // both looks are passed: what comes later is not
        look();
        look();
        look();
        Transaction created = Transactions.cashin(TransactionId.at(clock.instant()), new Amount(100))
                .accept();
        Transaction old = Transactions.cashin(
                        TransactionId.at(clock.instant().minus(Duration.ofDays(90))), new Amount(100))
                .moveTo(Status.PAID, clock.instant().minus(Duration.ofDays(89)), Source.RAIL)
                .accept();
        Transaction changed = Transactions.cashin(
                        TransactionId.at(clock.instant().minus(Duration.ofDays(90))), new Amount(100))
                .moveTo(Status.PAID, clock.instant(), Source.RAIL)
                .accept();
        stored.insert(List.of(created, old, changed));

        lag(topic);
        look();
        assertThat(announced(created)).isEmpty();
        TestTopics.deleteRecords(topic);
        look();

        await().untilAsserted(() -> {
            assertThat(announced(created)).hasSize(1);
            assertThat(announced(changed)).hasSize(1);
        });
        assertThat(announced(changed).get(0).since()).isBefore(clock.instant());
        assertThat(announced(old)).isEmpty();
        passAll();
        look();
        look();
        assertThat(announced(created)).hasSize(1);
    }

    /** With the fault, nothing that came after it in the pass was done. */
    @Test
    void aPassThatFailsKeepsNoOtherFromItsWork() {
        String unknown = "no UUID";
        stored.insert(
                CollectionNames.QUEUED_CHANGES,
                new Document("_id", unknown).append(QueuedChange.REQUESTED_AT, Date.from(Instant.EPOCH)));
        try {
            changesWhoseRecordsKafkaHasLostAreAnnouncedAgain(Topics.EVENTS);
        } finally {
            stored.remove(CollectionNames.QUEUED_CHANGES, unknown);
        }
    }

    private List<TransactionCommand.Announce> announced(Transaction transaction) {
        commands.readToTheEnd();
        return commands.of(transaction.id().toString()).stream()
                .map(TransactionCommand.Announce.class::cast)
                .toList();
    }

    private void passAll() {
        ConsumerGroups.passAll(group, Topics.COMMANDS);
        ConsumerGroups.passAll(dispatchers, Topics.EVENTS);
        ConsumerGroups.passAll(books, Topics.EVENTS);
    }

    /** Records that no group passes. */
    private static void lag(String topic) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            IntStream.range(0, 2 * PARTITIONS)
                    .forEach(i -> producer.send(new ProducerRecord<>(topic, i % PARTITIONS, new byte[0], new byte[0])));
        }
    }

    /** The gateway with the lease looks at Kafka's topics, in a pass that ends before the next one begins. */
    private void look() {
        clock.move(Duration.ofSeconds(5));
        awaitPass();
        clock.move(MILLISECOND);
        awaitPass();
    }

    @Test
    void aChangeThatWasAnswered202IsPublishedAgainUntilItHasAnOutcome() {
        TestMerchant merchant = gateway.newMerchant();
        String id = merchant.created(merchant.cashin());
        stored.acceptAll();
        merchant.api().postNothing("/api/v1/sandbox/transaction/" + id + "/pay").expect(202);
        assertThat(changes(id)).hasSize(1);

        forward(APPEND_DELAY_MAX.plus(MILLISECOND));
        awaitSettled();
        await().untilAsserted(() -> assertThat(changes(id)).hasSize(2));
        assertThat(new HashSet<>(changes(id))).hasSize(1);

        stored.append(
                id,
                new Entry.StatusChanged(
                        Status.PAID,
                        clock.instant(),
                        Source.SANDBOX,
                        null,
                        null,
                        changes(id).get(0).change()));
        forward(APPEND_DELAY_MAX.multipliedBy(4));
        awaitSettled();
        assertThat(changes(id)).hasSize(2);
        assertThat(stored.all(CollectionNames.QUEUED_CHANGES)).isEmpty();
    }

    /** A newer gateway has written the first one, and the transaction of the second one is damaged. With the fault, no change was sent again. */
    @Test
    void aChangeThatCannotBeReadIsGivenUpAfterAWeekAndItsNeighboursArePublishedAgain() {
        TestMerchant merchant = gateway.newMerchant();
        List<String> ids = Stream.generate(() -> merchant.created(merchant.cashin()))
                .limit(3)
                .toList();
        stored.acceptAll();
        ids.forEach(id -> merchant.api()
                .postNothing("/api/v1/sandbox/transaction/" + id + "/pay")
                .expect(202));
        UUID unreadable = changes(ids.get(0)).get(0).change().id();
        Transaction damaged = stored.find(ids.get(1));
        stored.set(CollectionNames.QUEUED_CHANGES, unreadable, Updates.set("command", new Binary(new byte[] {'{'})));
        stored.distort(damaged, Updates.set(TransactionFields.PAYER, List.of("Maria Silva")));
        try (CapturedLogs logs = new CapturedLogs()) {
            forward(APPEND_DELAY_MAX.plus(MILLISECOND));
            awaitSettled();
            await().untilAsserted(() -> assertThat(ids.subList(1, 3))
                    .allSatisfy(id -> assertThat(changes(id)).hasSize(2)));
            assertThat(changes(ids.get(0))).hasSize(1);
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("change_unreadable"))
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .contains(unreadable.toString());
        }

        stored.replace(damaged);
        clock.move(Duration.ofDays(8));
        awaitSettled();
        await().untilAsserted(() ->
                assertThat(stored.all(CollectionNames.QUEUED_CHANGES)).isEmpty());
    }

    private List<TransactionCommand.Change> changes(String id) {
        commands.readToTheEnd();
        return commands.of(id).stream()
                .filter(TransactionCommand.Change.class::isInstance)
                .map(TransactionCommand.Change.class::cast)
                .toList();
    }

    @Test
    void aDocumentThatCannotBeDecodedIsSetAsideAndItsNeighboursAreRepublished() {
        List<Transaction> lost = lost(3, clock.instant(), MILLISECOND);
        Transaction undecodable = lost.get(1);
        List<String> neighbours = ids(List.of(lost.get(0), lost.get(2)));
        stored.insert(lost);
        stored.distort(undecodable, Updates.set(TransactionFields.PAYER, List.of("Maria Silva")));
        double counted = sum("ligeiro_gateway_republish_undecodable_transactions_total ");
        try (CapturedLogs logs = new CapturedLogs()) {
            forward(APPEND_DELAY_MAX.plusMillis(lost.size()));
            awaitSettled();
            awaitCommands(neighbours, 1);
            awaitSettled();

            assertThat(commands.of(undecodable.id().toString())).isEmpty();
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains(undecodable.id().toString()))
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .contains("event.action=\"transaction_undecodable\"")
                    .doesNotContain(undecodable.terms().payer().name());
            assertThat(sum("ligeiro_gateway_republish_undecodable_transactions_total "))
                    .isEqualTo(counted + 1);
        }

        stored.replace(undecodable);
        assertCommandsAfter(APPEND_DELAY_MAX, undecodable, 1);
    }

    @Tag("nightly")
    @Test
    void aTransactionIsRepublishedAlsoAfterAPassOfAGatewayWhoseClockWasAhead() {
        Duration ahead = Duration.ofHours(3);
        clock.move(ahead);
        awaitSettled();
        clock.move(ahead.negated());
        // the lease lay in the future, so either gateway may take it
        awaitSettled();
        Transaction lost = Transactions.cashin(TransactionId.at(clock.instant()), new Amount(100));
        stored.insert(List.of(lost));

        assertCommandsAfter(APPEND_DELAY_MAX.plus(MILLISECOND), lost, 1);
    }

    @Tag("nightly")
    @Test
    void twoGatewaysDoNotPublishTwice() {
        List<Transaction> lost = lost(1_200, clock.instant(), Duration.ZERO);
        double before = sum("ligeiro_gateway_commands_republished_commands_total ");
        stored.insert(lost);

        forward(APPEND_DELAY_MAX.plus(MILLISECOND));
        awaitCommands(ids(lost), 1);
        assertThat(sum("ligeiro_gateway_commands_republished_commands_total ") - before)
                .isEqualTo(lost.size());
        // the lease has ended by then, so that the other gateway may take it
        clock.move(LEASE.plus(MILLISECOND));
        awaitPass();

        await().during(QUIET).untilAsserted(() -> assertThat(ids(lost))
                .allSatisfy(id -> assertThat(commands.of(id)).hasSize(1)));
    }

    @Test
    void theGatewayWithTheLeaseMeasuresTheOldestUnacceptedTransaction() {
        Instant now = clock.instant();
        Transaction accepted = Transactions.cashin(TransactionId.at(now.minusMillis(1)), new Amount(100))
                .accept();
        Transaction oldest = Transactions.cashin(TransactionId.at(now), new Amount(200));
        Transaction younger = Transactions.cashin(TransactionId.at(now.plusMillis(1)), new Amount(300));
        stored.insert(List.of(accepted, oldest, younger));

        clock.move(Duration.ofSeconds(90));
        await().untilAsserted(() -> assertThat(oldestUnaccepted()).containsExactly("90.0"));
        // the gateway that had the lease before may measure until its next pass
        await().untilAsserted(() -> assertThat(metrics("ligeiro_gateway_republish_open_transactions "))
                .hasSize(1));

        stored.acceptAll();
        awaitSettled();
        clock.move(Duration.ofSeconds(60));
        await().untilAsserted(() -> assertThat(oldestUnaccepted()).containsExactly("0.0"));
    }

    /** With the fault the metric kept its value for the half hour. The gateway keeps its lease, so the other one does not measure. */
    @Tag("nightly")
    @Test
    void theOldestUnacceptedTransactionIsMeasuredAlsoWhileTheClockIsSetBack() {
        stored.insert(List.of(Transactions.cashin(TransactionId.at(clock.instant()), new Amount(100))));
        clock.move(Duration.ofMinutes(30));
        await().untilAsserted(() -> assertThat(oldestUnaccepted()).containsExactly("1800.0"));

        clock.move(Duration.ofMinutes(-30));

        await().untilAsserted(() -> assertThat(oldestUnaccepted()).containsExactly("0.0"));
    }

    @Tag("nightly")
    @Test
    void aBacklogOfMonthsIsRepublishedOnce() {
        Duration apart = Duration.ofHours(6);
        List<Transaction> lost = lost(1_200, clock.instant().minus(apart.multipliedBy(1_200)), apart);
        stored.insert(lost);

        awaitCommands(ids(lost), 1);
        awaitSettled();
        awaitCommands(ids(lost), 1);
    }

    @Tag("nightly")
    @Test
    void transactionsCreatedWhileKafkaIsAwayArePublishedOnceItIsBack() {
        TestMerchant merchant = gateway.newMerchant();
        TestBrokers.kafka().stop();
        List<String> ids = IntStream.range(0, 40)
                .mapToObj(i -> merchant.api()
                        .post(CASHIN, merchant.cashin())
                        .expect(201)
                        .transactionId())
                .toList();
        merchant.api()
                .postNothing("/api/v1/sandbox/transaction/" + ids.get(0) + "/pay")
                .expectProblem(503, "unavailable");

        TestBrokers.kafka().start();
        clock.move(APPEND_DELAY_MAX.plus(MILLISECOND));

        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            ConsumerGroups.passAll(group, Topics.COMMANDS);
            assertThat(ids).allSatisfy(id -> assertThat(commands.of(id)).isNotEmpty());
        });
    }

    private RunningGateway start(String onDatabase) {
        return RunningGateway.startOn(
                onDatabase,
                clock,
                "ligeiro.republish.every=50ms",
                "ligeiro.republish.consumer-group=" + group,
                "ligeiro.lag.dispatcher-group=" + dispatchers,
                "ligeiro.books.consumer-group=" + books,
                "ligeiro.republish.append-delay-max=" + APPEND_DELAY_MAX,
                "ligeiro.republish.pause-max=" + PAUSE_MAX,
                "spring.kafka.admin.properties.reconnect.backoff.max.ms=200",
                "spring.kafka.producer.properties.reconnect.backoff.max.ms=200",
                "spring.kafka.producer.properties.delivery.timeout.ms=6000",
                "spring.kafka.producer.properties.request.timeout.ms=3000");
    }

    /** The ages that the gateways report, in seconds. */
    private List<String> oldestUnaccepted() {
        return metrics("ligeiro_gateway_unaccepted_oldest_seconds ").toList();
    }

    /** Of the gateways that report the series. */
    private Stream<String> metrics(String series) {
        return Stream.of(gateway, other).flatMap(each -> each.metrics(series));
    }

    private double sum(String series) {
        return metrics(series).mapToDouble(Double::parseDouble).sum();
    }

    private static String group(String topic) {
        TestTopics.create(topic, PARTITIONS);
        return ConsumerGroups.startingNow(topic);
    }

    /** The processors pass all records, and after a pass there are {@code times} commands. */
    private void assertCommandsAfter(Duration forward, Transaction transaction, int times) {
        forward(forward);
        awaitSettled();
        awaitCommands(ids(List.of(transaction)), times);
    }

    /** In steps, so that the gateway with the lease keeps it: one that loses it may still be in the middle of a pass. */
    private void forward(Duration time) {
        Duration step = LEASE.dividedBy(2);
        for (Duration left = time; !left.isZero(); left = left.minus(step)) {
            if (left.compareTo(step) < 0) {
                step = left;
            }
            clock.move(step);
            awaitPass();
        }
    }

    /** Waits until a pass has begun at the current time. */
    private void awaitPass() {
        Date leasedUntil = Date.from(clock.instant().plus(LEASE));
        await().until(() -> stored.all(CollectionNames.LEASES).stream()
                .anyMatch(lease -> leasedUntil.equals(lease.getDate("until"))));
    }

    /** Waits until a pass has begun at the current time, and then another one. The processors pass all records. */
    private void awaitSettled() {
        for (int passes = 0; passes < 2; passes++) {
            clock.move(MILLISECOND);
            ConsumerGroups.passAll(group, Topics.COMMANDS);
            awaitPass();
        }
    }

    /** Waits for the commands while the processors pass all records. There are not more of them. */
    private void awaitCommands(List<String> ids, int times) {
        await().untilAsserted(() -> {
            ConsumerGroups.passAll(group, Topics.COMMANDS);
            commands.readToTheEnd();
            assertThat(ids).allSatisfy(id -> assertThat(commands.of(id)).hasSize(times));
        });
    }

    private static List<String> ids(List<Transaction> transactions) {
        return transactions.stream().map(each -> each.id().toString()).toList();
    }

    private static List<Transaction> lost(int count, Instant from, Duration apart) {
        return IntStream.range(0, count)
                .mapToObj(i -> Transactions.cashin(TransactionId.at(from.plus(apart.multipliedBy(i))), new Amount(100)))
                .toList();
    }
}
