package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.pay;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.Filters;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.dispute.DisputeStore;
import dev.ligeiro.processor.guard.GuardCashouts;
import dev.ligeiro.processor.guard.Guards;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.resolve.ConfirmedResolutionStore;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.support.work.BatchBytes;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.awaitility.core.ThrowingRunnable;
import org.bson.Document;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** Batches that {@link ProcessCommands} gets directly: what they cost MongoDB, and what they change when they come again. */
@Order(1)
@Execution(ExecutionMode.SAME_THREAD)
class BatchIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Clock CLOCK = Clock.tickMillis(ZoneOffset.UTC);
    private static final Amount MONEY = new Amount(150_75);

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor();

    private static final TestEnvironment ENVIRONMENT = PROCESSOR.environment();

    /** With the fault the batch failed each time it was redelivered, and its partition stood still. */
    @Test
    void refundsWithTheKeysOfOtherTransactionsAreRefusedInOneBatch() {
        ENVIRONMENT.createIndexOfIdempotencyKeys();
        Transaction paid = ENVIRONMENT.stored(Transactions.cashin(new Amount(5011)));
        processBatch(process(paid));
        List<TransactionCommand> refunds = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Transaction other = Transactions.cashin(new Amount(15075));
            String key = "key-" + other.id();
            ENVIRONMENT.stored(
                    Transaction.create(other.id(), other.tenant(), other.operation(), other.terms(), key, null));
            refunds.add(new TransactionCommand.Change(
                    paid.tenant(),
                    paid.id(),
                    new ChangeRef(UUID.randomUUID(), key),
                    new ChangeAction.Refund(new Amount(100), null, null)));
        }

        processBatch(refunds.toArray(TransactionCommand[]::new));

        assertThat(ENVIRONMENT.read(paid.id()).history().entries())
                .filteredOn(Entry.ChangeRefused.class::isInstance)
                .hasSize(4);
        assertThat(ENVIRONMENT.read(paid.id()).history().refunds()).isEmpty();
    }

    /** Nothing of a new cashout is written between the inquiries. With the fault the stack overflowed, and the partition stood still. */
    @Test
    void aBatchMayHaveThousandsOfRounds() {
        Transaction created = ENVIRONMENT.stored(Transactions.cashout(new Amount(15075)));
        TransactionCommand notice = new TransactionCommand.RailNotice(
                created.id(), "simulator", created.endToEndId(), created.terms().amount());
        TransactionCommand outdated = TestEnvironment.dueCheck(created);
        List<TransactionCommand> commands = Stream.generate(() -> Stream.of(notice, outdated))
                .limit(2_000)
                .flatMap(Function.identity())
                .toList();

        Batch batch = processed(answeredBy(Map.of()), commands);

        assertThat(batch.runs().get(0).outcomes()).hasSize(commands.size());
    }

    @Test
    void createsAndPaysInOneBatchWithOneBulk() {
        untilUndisturbed(this::createAndPayInOneBatch);
    }

    private void createAndPayInOneBatch() {
        Transaction cashin = ENVIRONMENT.stored(Transactions.cashin(new Amount(15075)));
        double updates = updates(CollectionNames.TRANSACTIONS);

        processBatch(process(cashin), pay(cashin));

        assertThat(updates(CollectionNames.TRANSACTIONS) - updates).isEqualTo(1);
        ENVIRONMENT.awaitAnnounced(cashin, "1 pending", "2 paid");
    }

    @Test
    void aBatchOfCashinsIsOneBulkAndACashoutCostsTwoMoreAndOneOfTheLedger() {
        untilUndisturbed(this::processCashinsAndACashout);
    }

    private void processCashinsAndACashout() {
        List<Transaction> cashins = IntStream.range(0, 20)
                .mapToObj(cents -> ENVIRONMENT.stored(Transactions.cashin(new Amount(5000 + cents))))
                .toList();
        Transaction cashout = ENVIRONMENT.stored(Transactions.cashout(new Amount(15075)));
        double before = updates(CollectionNames.TRANSACTIONS);
        double ledgerBefore = updates(CollectionNames.SIMULATOR_LEDGER);

        processBatch(
                cashins.subList(0, 10).stream().map(TestEnvironment::process).toArray(TransactionCommand[]::new));
        double afterCashins = updates(CollectionNames.TRANSACTIONS);
        assertThat(updates(CollectionNames.SIMULATOR_LEDGER)).isEqualTo(ledgerBefore);
        processBatch(process(cashins.get(10)), process(cashout), process(cashins.get(11)));
        ENVIRONMENT.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");

        assertThat(afterCashins - before).isEqualTo(1);
        // in_process with the accepted cashins, the cashins' outcomes, the cashout's answer
        assertThat(updates(CollectionNames.TRANSACTIONS) - afterCashins).isEqualTo(3);
        assertThat(updates(CollectionNames.SIMULATOR_LEDGER) - ledgerBefore).isEqualTo(1);
    }

    @Test
    void aRedeliveredBatchChangesNothingAndSendsTheSameEvents() {
        Transaction waiting = ENVIRONMENT.stored(Transactions.cashin(new Amount(15075)));
        Transaction paid = ENVIRONMENT.stored(Transactions.cashin(new Amount(5011)));
        Transaction denied = ENVIRONMENT.stored(Transactions.cashin(new Amount(5012)));
        Transaction cashout = ENVIRONMENT.stored(Transactions.cashout(new Amount(15075)));
        TransactionCommand[] batch = {process(waiting), process(paid), process(denied), process(cashout)};

        processBatch(batch);
        ENVIRONMENT.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");
        List<TransactionEvent> sentAtFirst = ENVIRONMENT.events(cashout.id());
        List<Transaction> once =
                List.of(ENVIRONMENT.read(waiting.id()), ENVIRONMENT.read(paid.id()), ENVIRONMENT.read(cashout.id()));
        processBatch(batch);

        assertThat(List.of(ENVIRONMENT.read(waiting.id()), ENVIRONMENT.read(paid.id()), ENVIRONMENT.read(cashout.id())))
                .isEqualTo(once);
        ENVIRONMENT.awaitSent(waiting, "1 pending", "1 pending");
        ENVIRONMENT.awaitSent(paid, "1 pending", "2 paid", "1 pending", "2 paid");
        ENVIRONMENT.awaitSent(denied, "1 pending", "2 denied", "1 pending", "2 denied");
        // the events before the rail's answer were sent when the answer was processed
        List<TransactionEvent> sent = ENVIRONMENT.events(cashout.id());
        assertThat(sent.subList(sentAtFirst.size(), sent.size()))
                .isEqualTo(sentAtFirst.subList(sentAtFirst.size() - 1, sentAtFirst.size()));
    }

    @Test
    void aChangeAndItsRedeliveryReplaceTheVersionsOfItsBuckets() {
        Instant ownMinute = Instant.now().minus(Duration.ofHours(3));
        Transaction cashin = ENVIRONMENT.stored(Transactions.cashin(TransactionId.at(ownMinute), new Amount(15075)));
        ENVIRONMENT.keepCountsOf(cashin);

        processBatch(process(cashin));
        assertThat(ENVIRONMENT.bucketVersion(cashin)).isZero();
        TransactionCommand pay = pay(cashin);
        processBatch(pay);
        long paid = ENVIRONMENT.bucketVersion(cashin);
        processBatch(pay);

        assertThat(paid).isNotZero();
        assertThat(ENVIRONMENT.bucketVersion(cashin)).isNotIn(0L, paid);
    }

    /** A processor that lags for hours must not write versions for every merchant of every batch. */
    @Test
    void onlyACommandThatKafkaGotLateReplacesTheVersionsOfNewTransactions() {
        Instant ownMinute = Instant.now().minus(Duration.ofHours(7));
        Transaction inTime = ENVIRONMENT.stored(Transactions.cashin(TransactionId.at(ownMinute), new Amount(15075)));
        Transaction late = ENVIRONMENT.stored(
                Transactions.cashin(TransactionId.at(ownMinute.minus(Duration.ofHours(1))), new Amount(15075)));
        ENVIRONMENT.keepCountsOf(inTime);
        ENVIRONMENT.keepCountsOf(late);
        RunningProcessor running = PROCESSOR.running();
        CommandListener listener = new CommandListener(
                running.bean(ProcessCommands.class),
                running.bean(DeadLetters.class),
                running.bean(MeterRegistry.class),
                running.bean(Traces.class),
                CLOCK,
                running.bean(IntakeProperties.class));

        listener.onBatch(List.of(created(inTime, Duration.ofSeconds(1)), created(late, Duration.ofSeconds(9))));

        assertThat(ENVIRONMENT.read(inTime.id()).accepted()).isTrue();
        assertThat(ENVIRONMENT.bucketVersion(inTime)).isZero();
        assertThat(ENVIRONMENT.bucketVersion(late)).isNotZero();
    }

    private static ConsumerRecord<byte[], byte[]> created(Transaction transaction, Duration appendedAfter) {
        byte[] value = MessageJson.write(process(transaction));
        return new ConsumerRecord<>(
                Topics.COMMANDS,
                0,
                0,
                transaction.id().createdAt().plus(appendedAfter).toEpochMilli(),
                TimestampType.LOG_APPEND_TIME,
                0,
                value.length,
                new byte[0],
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    /** The command becomes a dead letter, so it is not redelivered. With the fault, lists by status kept a count without its change. */
    @Test
    void aCommandThatFailsAfterItsFirstBulkReplacesTheVersionsOfItsBuckets() {
        Instant ownMinute = Instant.now().minus(Duration.ofHours(5));
        Transaction cashout = ENVIRONMENT.stored(Transactions.cashout(TransactionId.at(ownMinute), new Amount(15075)));
        ENVIRONMENT.keepCountsOf(cashout);
        ProcessCommands commands = answeredBy(Map.of(cashout.id(), RailOutcome.Settled.asAgreed()));

        ENVIRONMENT.refuseStatus(
                cashout, Status.PAID, () -> assertThatThrownBy(() -> processed(commands, List.of(process(cashout))))
                        .isInstanceOf(MongoBulkWriteException.class));

        assertThat(ENVIRONMENT.read(cashout.id()).status()).isEqualTo(Status.IN_PROCESS);
        assertThat(ENVIRONMENT.bucketVersion(cashout)).isNotZero();
    }

    /** The steps between which a processor may end. */
    private enum End {
        /** The calls are stored; the rail has got neither the cashout nor the refund. */
        BEFORE_CALL,
        /** The rail has moved the money of both, and the answers are lost. */
        IN_CALL,
        /** The outcomes are stored. */
        BEFORE_VERSIONS,
        BEFORE_EVENTS,
        BEFORE_COMMIT
    }

    /** The next one gets the commands again, and the calls become due: the money moves once, and everything is announced and counted. */
    @ParameterizedTest
    @EnumSource
    void aBatchThatEndsAtAnyStepIsFinishedByTheNextProcessor(End end) {
        Tenant tenant = Tenant.of(70_000 + end.ordinal(), Mode.TEST);
        ENVIRONMENT.set(Guards.ofCount(tenant, 10, Duration.ofHours(6)));
        Instant ownMinute = Instant.now().minus(Duration.ofHours(9 + end.ordinal()));
        Transaction cashout = ENVIRONMENT.stored(of(tenant, Transactions.cashout(TransactionId.at(ownMinute), MONEY)));
        Transaction cashin = ENVIRONMENT.stored(
                of(tenant, Transactions.cashin(MONEY)).moveTo(Status.PAID, CLOCK.instant(), Source.RAIL));
        RefundId refund = RefundId.at(CLOCK.instant());
        List<TransactionCommand> commands = List.of(
                process(cashout),
                new TransactionCommand.Change(
                        tenant,
                        cashin.id(),
                        new ChangeRef(refund.value(), null),
                        new ChangeAction.Refund(new Amount(50_00), null, null)));
        ENVIRONMENT.keepCountsOf(cashout);
        await().atMost(TIMEOUT).until(() -> isGuarded(cashout));

        assertThatThrownBy(() -> processed(new EndingCommands(end), commands)).isInstanceOf(TransientFault.class);
        long versionAtTheEnd = ENVIRONMENT.bucketVersion(cashout);
        if (end == End.BEFORE_VERSIONS) {
            assertThat(ENVIRONMENT.read(cashout.id()).status()).isEqualTo(Status.PAID);
            assertThat(versionAtTheEnd).isZero();
        }
        Clock ahead = Clock.offset(CLOCK, Duration.ofMinutes(5));
        ProcessCommands next = new Commands(ahead);
        processed(next, commands);
        await().atMost(TIMEOUT).untilAsserted(() -> {
            for (Transaction one : List.of(ENVIRONMENT.read(cashout.id()), ENVIRONMENT.read(cashin.id()))) {
                processed(next, List.of(new TransactionCommand.DueCheck(tenant, one.id(), ahead.instant())));
                assertThat(ENVIRONMENT.read(one.id()).railCalls()).isEmpty();
            }
        });

        Transaction paid = ENVIRONMENT.read(cashout.id());
        Transaction refunded = ENVIRONMENT.read(cashin.id());
        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(refunded.history().refunds())
                .extracting(Refund::id, Refund::state)
                .containsExactly(tuple(refund, Refund.State.REFUNDED));
        assertThat(submissions(cashout.id().value())).isEqualTo(1);
        assertThat(submissions(refund.value())).isEqualTo(1);
        assertThat(ENVIRONMENT.bucketVersion(cashout)).isNotEqualTo(versionAtTheEnd);
        assertAnnounced(paid, 1);
        assertAnnounced(refunded, refunded.history().sequence());
        Document totals = ENVIRONMENT.guardTotals(tenant);
        assertThat(totals.getList("slots", Document.class))
                .extracting(slot -> slot.getInteger("count"))
                .containsExactly(1);
        assertThat(totals.getList("reserved", Document.class)).isEmpty();
    }

    private static Transaction of(Tenant tenant, Transaction transaction) {
        return Transactions.like(transaction).tenant(tenant).build();
    }

    private static boolean isGuarded(Transaction cashout) {
        return PROCESSOR
                .running()
                .bean(GuardCashouts.class)
                .begin()
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .mustLoad(cashout);
    }

    /** How often the simulated rail got the cashout or refund. */
    private static int submissions(UUID id) {
        return Mono.from(ENVIRONMENT
                        .database()
                        .getCollection(CollectionNames.SIMULATOR_LEDGER)
                        .find(Filters.eq(TransactionCodec.binary(id))))
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .getInteger(SimulatorLedgerFields.SUBMISSIONS);
    }

    /** An event that is sent again is equal to the first one. */
    private static void assertAnnounced(Transaction stored, int from) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(ENVIRONMENT.events(stored.id()).stream()
                        .filter(event -> event.id().sequence() >= from)
                        .distinct())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(from, stored.history().sequence())
                                .mapToObj(sequence -> TransactionEvent.of(stored, sequence))
                                .toList()));
    }

    /** The flow of the running processor, at the time of {@code clock}. */
    private static class Commands extends ProcessCommands {

        Commands(Clock clock) {
            super(
                    PROCESSOR.running().bean(TransactionBatchStore.class),
                    PROCESSOR.running().bean(GuardCashouts.class),
                    PROCESSOR.running().bean(ConfirmedResolutionStore.class),
                    PROCESSOR.running().bean(DisputeStore.class),
                    PROCESSOR.running().bean(Rails.class),
                    PROCESSOR.running().bean(RailCommandPublisher.class),
                    PROCESSOR.running().bean(BucketVersionStore.class),
                    PROCESSOR.running().bean(UnmatchedPaymentStore.class),
                    PROCESSOR.running().bean(RecordPublisher.class),
                    clock);
        }
    }

    /** It ends at the step. */
    private static final class EndingCommands extends Commands {

        private final End end;

        EndingCommands(End end) {
            super(CLOCK);
            this.end = end;
        }

        @Override
        Batch callRails(Batch batch, Origins origins) {
            List<CommandRun> called = end == End.BEFORE_CALL ? List.of() : batch.pendingRailCalls();
            called.forEach(run ->
                    PROCESSOR.running().bean(Rails.class).ask(Objects.requireNonNull(run.railRequest()), run.stored()));
            if (end == End.BEFORE_CALL || end == End.IN_CALL) {
                throw ended();
            }
            return batch.called(
                    called.stream().collect(Collectors.toMap(CommandRun::id, run -> RailOutcome.Settled.asAgreed())),
                    CLOCK.instant());
        }

        @Override
        Mono<Void> finish(Batch batch, List<TransactionCommand> again, Origins origins) {
            Mono<Void> done =
                    switch (end) {
                        case BEFORE_EVENTS ->
                            PROCESSOR.running().bean(BucketVersionStore.class).replace(batch.events(), origins);
                        case BEFORE_COMMIT -> super.finish(batch, again, origins);
                        default -> Mono.empty();
                    };
            return done.then(Mono.error(EndingCommands::ended));
        }

        private static TransientFault ended() {
            return new TransientFault("the processor ends", null);
        }
    }

    /** Its rails answer like this at once, and other calls never. */
    private static ProcessCommands answeredBy(Map<TransactionId, RailOutcome> answers) {
        return new Commands(CLOCK) {
            @Override
            Batch callRails(Batch batch, Origins origins) {
                return batch.called(answers, CLOCK.instant());
            }
        };
    }

    private static void processBatch(TransactionCommand... commands) {
        Batch batch = processed(PROCESSOR.running().bean(ProcessCommands.class), List.of(commands));
        assertThat(batch.unprocessable()).isEmpty();
    }

    private static Batch processed(ProcessCommands processor, List<TransactionCommand> commands) {
        Origins origins = new Origins();
        commands.forEach(command ->
                origins.add(command, Origin.NONE, command.transactionId().createdAt()));
        return processor
                .process(commands, origins, new BatchBytes(ProcessorMemoryBudget.PART, ProcessorMemoryBudget.PART))
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .batch();
    }

    /** Repeats a test that counts updates while transactions of other tests are updated too: by the rail's answers, or when due. */
    private static void untilUndisturbed(ThrowingRunnable test) {
        await().atMost(TIMEOUT).untilAsserted(test);
    }

    private static double updates(String collection) {
        return PROCESSOR
                .running()
                .bean(MeterRegistry.class)
                .find("mongodb.driver.commands")
                .tag("command", "update")
                .tag("collection", collection)
                .timers()
                .stream()
                .mapToLong(timer -> timer.count())
                .sum();
    }
}
