package dev.ligeiro.processor.due;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Due work with real brokers and no consumer: the test commits the offsets of the processors' group. */
class DueIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int AHEAD_MAX = 1_000;

    private final TestClock clock = TestClock.frozen();
    private final Instant now = clock.instant();
    private final List<DueParts> processors = new ArrayList<>();
    private TestDatabase collection;
    private TopicReader commands;
    private String group;

    @BeforeEach
    void open() {
        TestTopics.create(Topics.COMMANDS, 3);
        collection = new TestDatabase();
        collection.createIndexesOfDueWork();
        group = ConsumerGroups.startingNow(Topics.COMMANDS);
        commands = TopicReader.fromNow(Topics.COMMANDS);
    }

    @AfterEach
    void close() {
        processors.forEach(DueParts::close);
        commands.close();
        collection.close();
    }

    @Tag("nightly")
    @Test
    void eachTransactionThatIsDueIsLookedAtOnceInTheOrderOfDueTimes() {
        List<Transaction> due = new ArrayList<>(IntStream.range(0, 700)
                .mapToObj(i -> expired(now.minusSeconds(3_600).plusMillis(i / 3)))
                .toList());
        Collections.shuffle(due, new Random(7));
        Transaction inProcess = inProcess(now.minusSeconds(1_800));
        Transaction refunded = Transactions.like(Transactions.partlyRefundedCashin())
                .createdAs(TransactionId.at(now))
                .history(Transactions.partlyRefundedCashin().history())
                .railCalls(RailCall.first(Transactions.FAILED_REFUND, now, now.minusSeconds(900)))
                .build();
        due.add(inProcess);
        due.add(refunded);
        Transaction later = expired(now.plusSeconds(3_600));
        Transaction ended = Transactions.like(expired(now.minusSeconds(60)))
                .status(Status.PAID)
                .build();
        collection.insert(due);
        collection.insert(List.of(later, ended));
        DueParts processor = processor();

        assertThat(processor.run()).isEqualTo(DispatchDue.State.DONE);

        assertThat(awaitLooks(due.size()))
                .containsExactlyInAnyOrderElementsOf(
                        due.stream().map(Transaction::id).toList());
        Map<TransactionId, Instant> dueAt =
                due.stream().collect(Collectors.toMap(Transaction::id, transaction -> transaction.dueAt()));
        looksOfEachPartition()
                .forEach(partition -> assertThat(partition).isSortedAccordingTo(Comparator.comparing(dueAt::get)));
    }

    @Test
    void aLaggingGroupGetsNoCopies() {
        collection.insert(List.of(expired(now.minusSeconds(60)), expired(now.minusSeconds(50))));
        DueParts processor = processor();
        processor.run();
        awaitLooks(2);

        for (int i = 0; i < 5; i++) {
            clock.move(DispatchDue.AGAIN_AFTER);
            processor.run();
        }
        assertThat(looks()).hasSize(2);
        clock.move(DispatchDue.AGAIN_AFTER.multipliedBy(-5));
        ConsumerGroups.passAll(group, Topics.COMMANDS);
        Transaction another = expired(now.minusSeconds(40));
        collection.insert(List.of(another));
        processor.run();

        assertThat(awaitLooks(3)).hasSize(3).last().isEqualTo(another.id());
    }

    @Test
    void aTransactionThatIsStillDueGetsAnotherCommandAfterFiveMinutes() {
        Transaction lost = expired(now.minusSeconds(2));
        Transaction done = expired(now.minusSeconds(2));
        collection.insert(List.of(lost, done));
        DueParts processor = processor();
        processor.run();
        awaitLooks(2);

        collection.replace(Transactions.like(done).status(Status.EXPIRED).build());
        ConsumerGroups.passAll(group, Topics.COMMANDS);
        clock.move(DispatchDue.AGAIN_AFTER.minusSeconds(30));
        processor.run();
        assertThat(looks()).hasSize(2);
        clock.move(Duration.ofSeconds(60));
        processor.run();

        assertThat(awaitLooks(3)).hasSize(3).last().isEqualTo(lost.id());
    }

    /** The command may be processed, and the next due time stored, before the time in the index is moved. */
    @Test
    void aDueTimeThatAProcessorHasStoredSinceStays() {
        Transaction due = inProcess(now.minusSeconds(60));
        collection.insert(List.of(due));
        Transaction asked = due.with(RailCall.first(null, now, now.plusSeconds(30)));
        DueStore store = processor().bean(DueStore.class);
        collection.replace(asked);

        store.postpone(
                        List.of(new TransactionCommand.DueCheck(due.tenant(), due.id(), now)),
                        now,
                        Duration.ofMinutes(10))
                .block(TIMEOUT);

        assertThat(store.due(now.plusSeconds(30), 10).blockOptional(TIMEOUT).orElseThrow())
                .extracting(TransactionCommand.DueCheck::transactionId)
                .containsExactly(due.id());
    }

    /** With the fault it stayed the first one, each pass failed, and no other transaction was looked at. */
    @ParameterizedTest
    @ValueSource(strings = {"{$unset: {tenant: 1}}", "{$set: {tenant: 14}}", "{$set: {tenant: {$numberLong: '-1'}}}"})
    void aTransactionWhoseTenantCannotBeReadStopsNoOther(String harm) {
        Transaction broken = expired(now.minusSeconds(90));
        Transaction next = expired(now.minusSeconds(60));
        collection.insert(List.of(broken, next));
        collection.update(broken.id(), harm);
        DueParts processor = processor();

        assertThat(processor.run()).isEqualTo(DispatchDue.State.DONE);

        assertThat(awaitLooks(1)).containsExactly(next.id());
        assertThat(processor.bean(DueStore.class).due(now, 10).blockOptional(TIMEOUT))
                .hasValue(List.of());
    }

    @Test
    void aBacklogIsSentInPartsThatTheGroupHasPassed() {
        collection.insert(IntStream.range(0, 2_500)
                .mapToObj(i -> expired(now.minusSeconds(3_600).plusMillis(i)))
                .toList());
        DueParts processor = processor();

        assertThat(processor.run()).isEqualTo(DispatchDue.State.WAITS_FOR_PROCESSORS);
        assertThat(processor.run()).isEqualTo(DispatchDue.State.WAITS_FOR_PROCESSORS);
        assertThat(awaitLooks(AHEAD_MAX)).hasSize(AHEAD_MAX);
        ConsumerGroups.passAll(group, Topics.COMMANDS);
        assertThat(processor.run()).isEqualTo(DispatchDue.State.WAITS_FOR_PROCESSORS);
        assertThat(awaitLooks(2 * AHEAD_MAX)).hasSize(2 * AHEAD_MAX);
        ConsumerGroups.passAll(group, Topics.COMMANDS);
        assertThat(processor.run()).isEqualTo(DispatchDue.State.DONE);

        assertThat(awaitLooks(2_500)).doesNotHaveDuplicates().hasSize(2_500);
    }

    /** With the fault nothing was looked at for two days: the lease ended in the future. */
    @Test
    void afterAProcessorWhoseClockWasAheadRowsAreSentAtTheirTime() {
        Transaction due = expired(now.plusSeconds(60));
        collection.insert(List.of(due));
        clock.move(Duration.ofDays(2));
        processor().run();
        assertThat(awaitLooks(1)).as("too early").containsExactly(due.id());
        ConsumerGroups.passAll(group, Topics.COMMANDS);
        clock.move(Duration.ofDays(-2));

        DueParts next = processor();
        assertThat(next.run()).isEqualTo(DispatchDue.State.DONE);
        assertThat(looks()).hasSize(1);
        // it was postponed by MongoDB's clock, which has gone on meanwhile
        clock.move(DispatchDue.AGAIN_AFTER.plusMinutes(3));
        next.run();

        assertThat(awaitLooks(2)).containsExactly(due.id(), due.id());
    }

    @ParameterizedTest
    @ValueSource(longs = {6, -6})
    void aProcessorWhoseMachineHasAnotherTimeThanMongodbLeavesTheWorkToOthers(long aheadSeconds) {
        collection.insert(List.of(expired(now.minusSeconds(60))));
        Clock machine = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(aheadSeconds));
        DueParts wrong = new DueParts(collection.database(), clock, machine, group, AHEAD_MAX);
        processors.add(wrong);

        assertThat(wrong.run()).isEqualTo(DispatchDue.State.STANDS_BY);
        assertThat(processor().run()).isEqualTo(DispatchDue.State.DONE);

        assertThat(awaitLooks(1)).hasSize(1);
        assertThat(wrong.metric("ligeiro.clock.ahead")).isBetween(aheadSeconds - 1d, aheadSeconds + 1d);
    }

    @Test
    void whatWaitsAndWhatIsStuckIsMeasured() {
        collection.insert(List.of(
                inProcess(now.minusSeconds(3_600)),
                inProcess(now.minusSeconds(1_200)),
                inProcess(now.minusSeconds(30)),
                Transactions.like(LiveTransactions.of(inProcess(now.minusSeconds(500))))
                        .rail("closed-bank")
                        .build(),
                expired(now.minusSeconds(7_200)),
                expired(now.plusSeconds(60)),
                Transactions.cashout(new Amount(1_000))
                        .with(new Entry.StatusChanged(
                                Status.IN_ANALYSIS,
                                now.minusSeconds(86_400),
                                Source.SYSTEM,
                                Transaction.APPROVAL_REQUIRED,
                                null,
                                null))));
        DueParts processor = processor();
        DueParts other = processor();
        processor.run();
        other.run();

        assertThat(processor.metric("ligeiro.due.behind")).isEqualTo(5);
        assertThat(processor.metric("ligeiro.due.behind.age")).isBetween(7_200d, 7_300d);
        assertThat(processor.metric("ligeiro.due.stuck")).isEqualTo(2);
        assertThat(processor.metric("ligeiro.rail.unknown.oldest", "rail", "simulator"))
                .isBetween(3_600d, 3_700d);
        assertThat(processor.metric("ligeiro.rail.unknown.oldest", "rail", "bank"))
                .isZero();
        assertThat(processor.metric("ligeiro.rail.unknown.oldest", "rail", "closed-bank"))
                .as("a rail that the processor does not have")
                .isBetween(500d, 600d);
        assertThat(processor.metric("ligeiro.approvals.waiting")).isEqualTo(1);
        assertThat(processor.metric("ligeiro.approvals.oldest")).isBetween(86_400d, 86_500d);
        assertThat(List.of("ligeiro.due.behind", "ligeiro.due.behind.age", "ligeiro.due.stuck"))
                .as("of the processor without the lease")
                .noneMatch(other::reports);
    }

    @Test
    void noMoreIsReadThanIsReturned() {
        collection.insert(IntStream.range(0, 300)
                .mapToObj(i -> expired(now.minusSeconds(60)))
                .toList());
        Mono.from(collection.database().runCommand(new Document("profile", 2))).block(TIMEOUT);

        DueStore store = processor().bean(DueStore.class);
        List<TransactionCommand.DueCheck> read =
                store.due(now, 50).blockOptional(TIMEOUT).orElseThrow();
        store.dueBefore(now).block(TIMEOUT);
        Mono.from(collection.database().runCommand(new Document("profile", 0))).block(TIMEOUT);

        assertThat(read).hasSize(50);
        List<Document> queries = Flux.from(collection
                        .database()
                        .getCollection("system.profile")
                        .find(new Document("ns", collection.database().getName() + ".transactions")))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        assertThat(queries).hasSize(3).allSatisfy(query -> assertThat(query.get("docsExamined"))
                .as("%s", query)
                // the tenants of those that are due are in the documents only
                .isEqualTo(Integer.valueOf(50).equals(query.get("nreturned")) ? 50 : 0));
        assertThat(queries)
                .filteredOn(query -> Integer.valueOf(50).equals(query.get("nreturned")))
                .allSatisfy(
                        query -> assertThat(query.getInteger("keysExamined")).isLessThanOrEqualTo(51));
    }

    @Test
    void withoutTheIndexNothingIsRead() {
        TestDatabase bare = new TestDatabase();
        try (bare;
                DueParts processor = new DueParts(bare.database(), clock, group, AHEAD_MAX)) {
            bare.insert(List.of(expired(now.minusSeconds(60))));

            assertThatThrownBy(processor::run).matches(DueStore::isIndexMissing);
        }
    }

    private DueParts processor() {
        DueParts processor = new DueParts(collection.database(), clock, group, AHEAD_MAX);
        processors.add(processor);
        return processor;
    }

    private Transaction expired(Instant at) {
        return Transactions.like(Transactions.cashin(TransactionId.at(now), new Amount(1_000)))
                .expiresAt(at)
                .accepted(true)
                .build();
    }

    /** A cashout whose outcome is unknown, and which is due. */
    private Transaction inProcess(Instant since) {
        return Transactions.cashout(TransactionId.at(now), new Amount(1_000))
                .moveTo(Status.IN_PROCESS, since, Source.SYSTEM)
                .with(RailCall.first(null, since, since.plusSeconds(10)));
    }

    /** Waits for at least this number of commands; all that came so far. */
    private List<TransactionId> awaitLooks(int count) {
        await().atMost(TIMEOUT).until(() -> looks().size() >= count);
        return looks();
    }

    /** Those of this test, in the order of their times. */
    private List<TransactionId> looks() {
        return records().stream()
                .sorted(Comparator.comparing(ConsumerRecord::timestamp))
                .map(DueIT::dueCheck)
                .toList();
    }

    private Collection<List<TransactionId>> looksOfEachPartition() {
        return records().stream()
                .collect(Collectors.groupingBy(
                        ConsumerRecord::partition, Collectors.mapping(DueIT::dueCheck, Collectors.toList())))
                .values();
    }

    private List<ConsumerRecord<byte[], byte[]>> records() {
        return commands.toTheEnd().records().stream()
                .filter(record -> collection.contains(new String(record.key(), StandardCharsets.US_ASCII)))
                .toList();
    }

    private static TransactionId dueCheck(ConsumerRecord<byte[], byte[]> record) {
        return MessageJson.readCommand(record.value()).transactionId();
    }
}
