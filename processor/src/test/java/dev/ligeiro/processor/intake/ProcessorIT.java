package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.change;
import static dev.ligeiro.processor.intake.TestEnvironment.pay;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static dev.ligeiro.testing.kafka.TopicReader.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoBulkWriteException;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.apply.RailAnswerPublisher;
import dev.ligeiro.processor.apply.TransactionStore;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.testing.trace.OtlpReceiver;
import dev.ligeiro.testing.trace.ReceivedSpan;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** The service with the simulator, from commands in Kafka to events in Kafka. */
class ProcessorIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Clock CLOCK = Clock.tickMillis(ZoneOffset.UTC);

    private static final OtlpReceiver TRACES = new OtlpReceiver();

    private static RunningProcessor processor;
    private static TestEnvironment environment;

    @BeforeAll
    static void start() {
        processor = RunningProcessor.start(TRACES.settings().toArray(String[]::new));
        environment = new TestEnvironment();
        await().atMost(TIMEOUT).until(processor::isReady);
    }

    @AfterAll
    static void stop() {
        processor.close();
        environment.close();
        TRACES.close();
    }

    @Test
    void theFaultsOfTheSimulatedRailAreOutOfReachByDefault() {
        assertThat(processor.get("/actuator/simulator")).contains("404");
    }

    @Test
    void acceptsACashinAndLeavesItPending() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(15075)));

        environment.send(process(cashin));

        awaitAnnounced(cashin, "1 pending");
        assertThat(environment.read(cashin.id())).isEqualTo(cashin.accept());
    }

    @Test
    void paysACashinOfElevenCentsAtOnce() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(5011)));

        environment.send(process(cashin));

        awaitAnnounced(cashin, "1 pending", "2 paid");
        assertThat(lastChange(cashin).source()).isEqualTo(Source.RAIL);
    }

    @Test
    void deniesACashinOfTwelveCentsWithTheRailsReason() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(5012)));

        environment.send(process(cashin));

        awaitAnnounced(cashin, "1 pending", "2 denied");
        assertThat(lastChange(cashin).reason()).isEqualTo("rejected_by_rail");
    }

    @Test
    void paysACashoutAfterInProcess() {
        Transaction cashout = environment.stored(Transactions.cashout(new Amount(15075)));

        environment.send(process(cashout));

        awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");
        assertThat(environment.events(cashout.id()).get(2).previousStatus()).isEqualTo(Status.IN_PROCESS);
        assertThat(environment.read(cashout.id()).openCalls()).isEmpty();
    }

    @Test
    void deniesACashoutOfTwelveCents() {
        Transaction cashout = environment.stored(Transactions.cashout(new Amount(5012)));

        environment.send(process(cashout));

        awaitAnnounced(cashout, "1 pending", "2 in_process", "3 denied");
    }

    @Test
    void paysAPendingCashinInTheSandbox() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(15075)));
        environment.send(process(cashin));
        awaitAnnounced(cashin, "1 pending");

        environment.send(pay(cashin));

        awaitAnnounced(cashin, "1 pending", "2 paid");
        assertThat(lastChange(cashin).source()).isEqualTo(Source.SANDBOX);
    }

    @Test
    void paysACashoutInTheSandboxThatTheSandboxAnalysesFirst() {
        Transaction cashout = environment.stored(Transactions.cashout(new Amount(15075)));

        environment.send(change(cashout, new ChangeAction.Sandbox(SandboxAction.ANALYZE)));
        environment.send(process(cashout));
        environment.send(pay(cashout));

        awaitAnnounced(cashout, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
        assertThat(environment.read(cashout.id()).openCalls()).isEmpty();
    }

    @Test
    void refundsAPaidCashinInPartAndThenTheRest() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(5011)));
        environment.send(process(cashin));
        environment.send(change(cashin, new ChangeAction.Refund(new Amount(11), null, null)));
        environment.send(change(cashin, new ChangeAction.Refund(null, null, null)));

        awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 refund");
        assertThat(environment.read(cashin.id()).openCalls()).isEmpty();
        assertThat(environment.read(cashin.id()).dueAt()).isNull();
    }

    /** With the fault the batch failed each time it was redelivered, and its partition stood still. */
    @Test
    void refundsWithTheKeysOfOtherTransactionsAreRefusedInOneBatch() {
        environment.createIndexOfIdempotencyKeys();
        Transaction paid = environment.stored(Transactions.cashin(new Amount(5011)));
        processBatch(process(paid));
        List<TransactionCommand> refunds = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Transaction other = Transactions.cashin(new Amount(15075));
            String key = "key-" + other.id();
            environment.stored(Transaction.create(other.id(), other.tenant(), other.operation(), other.terms(), key));
            refunds.add(new TransactionCommand.Change(
                    paid.id(),
                    new ChangeRef(UUID.randomUUID(), key),
                    new ChangeAction.Refund(new Amount(100), null, null)));
        }

        processBatch(refunds.toArray(TransactionCommand[]::new));

        assertThat(environment.read(paid.id()).history().entries())
                .filteredOn(Entry.ChangeRefused.class::isInstance)
                .hasSize(4);
        assertThat(environment.read(paid.id()).history().refunds()).isEmpty();
    }

    @Test
    void aCanceledCashinIsNotPaidInTheSandbox() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(15075)));
        environment.send(process(cashin));
        environment.send(change(cashin, new ChangeAction.Cancel()));
        environment.send(pay(cashin));

        awaitAnnounced(cashin, "1 pending", "2 canceled");
        await().atMost(TIMEOUT).until(() -> environment.read(cashin.id()).history().entries().stream()
                .anyMatch(Entry.ChangeRefused.class::isInstance));
        assertThat(environment.read(cashin.id()).status()).isEqualTo(Status.CANCELED);
    }

    /**
     * KAFKA-20780: after an empty fetch, a consumer whose poll lasts for seconds asks for more records only with its next heartbeat.
     * Of ten commands at least one is taken without a heartbeat in between; with the fault none is.
     */
    @Test
    void aCommandAfterAPauseDoesNotWaitForTheNextHeartbeat() {
        List<Boolean> waited = new ArrayList<>();
        do {
            Transaction cashin = environment.stored(Transactions.cashin(new Amount(5011)));
            awaitAnEmptyFetch();
            double before = consumer("heartbeat-total");
            environment.send(process(cashin));
            await().atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> environment.read(cashin.id()).status() == Status.PAID);
            waited.add(consumer("heartbeat-total") > before);
        } while (waited.get(waited.size() - 1) && waited.size() < 10);

        assertThat(waited).contains(false);
    }

    /** Two fetches from now, so that at least one of them was sent after this call and came back without records. */
    private static void awaitAnEmptyFetch() {
        double fetches = consumer("fetch-total");
        await().atMost(TIMEOUT).until(() -> consumer("fetch-total") >= fetches + 2);
    }

    private static double consumer(String metric) {
        KafkaListenerEndpointRegistry listeners = processor.bean(KafkaListenerEndpointRegistry.class);
        return Objects.requireNonNull(listeners.getListenerContainer(CommandListener.ID)).metrics().values().stream()
                .flatMap(metrics -> metrics.entrySet().stream())
                .filter(each -> each.getKey().name().equals(metric)
                        && !each.getKey().tags().containsKey("topic"))
                .mapToDouble(each -> (double) each.getValue().metricValue())
                .sum();
    }

    @Test
    void createsAndPaysInOneBatchWithOneBulk() {
        untilUndisturbed(this::createAndPayInOneBatch);
    }

    private void createAndPayInOneBatch() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(15075)));
        double updates = updates(CollectionNames.TRANSACTIONS);

        processBatch(process(cashin), pay(cashin));

        assertThat(updates(CollectionNames.TRANSACTIONS) - updates).isEqualTo(1);
        awaitAnnounced(cashin, "1 pending", "2 paid");
    }

    @Test
    void aBatchOfCashinsIsOneBulkAndACashoutCostsTwoMoreAndOneOfTheLedger() {
        untilUndisturbed(this::processCashinsAndACashout);
    }

    private void processCashinsAndACashout() {
        List<Transaction> cashins = IntStream.range(0, 20)
                .mapToObj(cents -> environment.stored(Transactions.cashin(new Amount(5000 + cents))))
                .toList();
        Transaction cashout = environment.stored(Transactions.cashout(new Amount(15075)));
        double before = updates(CollectionNames.TRANSACTIONS);
        double ledgerBefore = updates(CollectionNames.SIMULATOR_LEDGER);

        processBatch(
                cashins.subList(0, 10).stream().map(TestEnvironment::process).toArray(TransactionCommand[]::new));
        double afterCashins = updates(CollectionNames.TRANSACTIONS);
        assertThat(updates(CollectionNames.SIMULATOR_LEDGER)).isEqualTo(ledgerBefore);
        processBatch(process(cashins.get(10)), process(cashout), process(cashins.get(11)));
        awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");

        assertThat(afterCashins - before).isEqualTo(1);
        // in_process with the accepted cashins, the cashins' outcomes, the cashout's answer
        assertThat(updates(CollectionNames.TRANSACTIONS) - afterCashins).isEqualTo(3);
        assertThat(updates(CollectionNames.SIMULATOR_LEDGER) - ledgerBefore).isEqualTo(1);
    }

    @Test
    void aRedeliveredBatchChangesNothingAndSendsTheSameEvents() {
        Transaction waiting = environment.stored(Transactions.cashin(new Amount(15075)));
        Transaction paid = environment.stored(Transactions.cashin(new Amount(5011)));
        Transaction denied = environment.stored(Transactions.cashin(new Amount(5012)));
        Transaction cashout = environment.stored(Transactions.cashout(new Amount(15075)));
        TransactionCommand[] batch = {process(waiting), process(paid), process(denied), process(cashout)};

        processBatch(batch);
        awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");
        List<Transaction> once =
                List.of(environment.read(waiting.id()), environment.read(paid.id()), environment.read(cashout.id()));
        processBatch(batch);

        assertThat(List.of(environment.read(waiting.id()), environment.read(paid.id()), environment.read(cashout.id())))
                .isEqualTo(once);
        awaitSent(waiting, "1 pending", "1 pending");
        awaitSent(paid, "1 pending", "2 paid", "1 pending", "2 paid");
        awaitSent(denied, "1 pending", "2 denied", "1 pending", "2 denied");
        List<TransactionEvent> sent = environment.events(cashout.id());
        assertThat(sent.subList(3, 6)).isEqualTo(sent.subList(0, 3));
        assertThat(sent.subList(3, 6))
                .extracting(TransactionEvent::id)
                .isEqualTo(sent.subList(0, 3).stream().map(TransactionEvent::id).toList());
    }

    @Test
    void aChangeAndItsRedeliveryReplaceTheVersionsOfItsSlices() {
        Instant ownMinute = Instant.now().minus(Duration.ofHours(3));
        Transaction cashin = environment.stored(Transactions.cashin(TransactionId.at(ownMinute), new Amount(15075)));
        environment.keepCountsOf(cashin);

        processBatch(process(cashin));
        assertThat(environment.sliceVersion(cashin)).isZero();
        TransactionCommand pay = pay(cashin);
        processBatch(pay);
        long paid = environment.sliceVersion(cashin);
        processBatch(pay);

        assertThat(paid).isNotZero();
        assertThat(environment.sliceVersion(cashin)).isNotIn(0L, paid);
    }

    /** The command becomes a dead letter, so it is not redelivered. With the fault, lists by status kept a count without its change. */
    @Test
    void aCommandThatFailsAfterItsFirstBulkReplacesTheVersionsOfItsSlices() {
        Instant ownMinute = Instant.now().minus(Duration.ofHours(5));
        Transaction cashout = environment.stored(Transactions.cashout(TransactionId.at(ownMinute), new Amount(15075)));
        environment.keepCountsOf(cashout);
        environment.refuseStatus(cashout, Status.PAID);
        CallRails paidAtOnce =
                new CallRails(processor.bean(Rails.class), processor.bean(RailAnswerPublisher.class), CLOCK) {
                    @Override
                    Batch call(Batch batch, Origins origins) {
                        return batch.called(Map.of(cashout.id(), RailOutcome.Settled.asAgreed()), CLOCK.instant());
                    }
                };
        ProcessCommands commands = new ProcessCommands(
                processor.bean(TransactionStore.class), paidAtOnce, processor.bean(FinishBatch.class), CLOCK);

        assertThatThrownBy(() -> commands.process(List.of(process(cashout)), new Origins())
                        .block(TIMEOUT))
                .isInstanceOf(MongoBulkWriteException.class);

        assertThat(environment.read(cashout.id()).status()).isEqualTo(Status.IN_PROCESS);
        assertThat(environment.sliceVersion(cashout)).isNotZero();
    }

    @Test
    void aPaymentBeforeItsTransactionSendsTheEventsOfBoth() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(15075)));

        processBatch(pay(cashin));
        processBatch(process(cashin));

        awaitSent(cashin, "1 pending", "2 paid", "1 pending", "2 paid");
    }

    @Test
    void aPoisonRecordBecomesADeadLetterAndDoesNotStopTheOthers() {
        Transaction before = environment.stored(Transactions.cashin(new Amount(5011)));
        Transaction after = environment.stored(Transactions.cashin(new Amount(5011)));
        byte[] poison = "{\"type\":\"transaction.melt\"}".getBytes(StandardCharsets.UTF_8);

        environment.send(before.id(), MessageJson.write(process(before)));
        environment.send(before.id(), poison);
        environment.send(before.id(), MessageJson.write(process(after)));

        awaitAnnounced(before, "1 pending", "2 paid");
        awaitAnnounced(after, "1 pending", "2 paid");
        ConsumerRecord<byte[], byte[]> dead = awaitDead(before);
        assertThat(dead.value()).isEqualTo(poison);
        assertThat(header(dead, "reason")).contains("invalid_message");
        assertThat(header(dead, "original-offset"))
                .hasValueSatisfying(offset -> assertThat(offset).matches("[0-9]+"));
    }

    /** With the fault its batch was tried again for ever, because the dead letter was too large too. */
    @Test
    void aPoisonRecordThatIsTooLargeForTheDeadLetterTopicDoesNotStopTheOthers() {
        Transaction before = environment.stored(Transactions.cashin(new Amount(5011)));
        Transaction after = environment.stored(Transactions.cashin(new Amount(5011)));
        byte[] poison = "{".repeat(2_000_000).getBytes(StandardCharsets.UTF_8);

        environment.send(before.id(), MessageJson.write(process(before)));
        environment.flush();
        environment.sendCompressed(before.id(), poison);
        environment.send(before.id(), MessageJson.write(process(after)));

        awaitAnnounced(before, "1 pending", "2 paid");
        awaitAnnounced(after, "1 pending", "2 paid");
        ConsumerRecord<byte[], byte[]> dead = awaitDead(before);
        assertThat(dead.value()).isNull();
        assertThat(header(dead, "reason")).contains("invalid_message");
        assertThat(header(dead, "detail")).contains("too large, without its content: value of 2000000 bytes");
        assertThat(header(dead, "original-offset"))
                .hasValueSatisfying(offset -> assertThat(offset).matches("[0-9]+"));
    }

    @Test
    void anUnreadableTransactionBecomesADeadLetterAlone() {
        Transaction before = environment.stored(Transactions.cashin(new Amount(15075)));
        Transaction broken = environment.storedWithoutItsFields(Transactions.cashin(new Amount(15075)));
        Transaction after = environment.stored(Transactions.cashin(new Amount(15075)));

        environment.send(before.id(), MessageJson.write(pay(before)));
        environment.send(before.id(), MessageJson.write(pay(broken)));
        environment.send(before.id(), MessageJson.write(pay(after)));

        awaitAnnounced(before, "1 pending", "2 paid");
        awaitAnnounced(after, "1 pending", "2 paid");
        assertThat(header(awaitDead(before), "reason")).contains("failed");
    }

    @Test
    void reportsThatCannotBeReadBecomeDeadLettersAlone() {
        Transaction before = environment.stored(Transactions.cashin(new Amount(15075)));
        Transaction broken = environment.storedWithoutItsFields(Transactions.cashin(new Amount(15075)));
        Transaction after = environment.stored(Transactions.cashin(new Amount(15075)));
        String withoutPayment = "{\"type\":\"transaction.rail_notice\",\"transactionId\":\"" + before.id()
                + "\",\"rail\":\"simulator\"}";

        environment.send(before.id(), MessageJson.write(pay(before)));
        environment.send(before.id(), withoutPayment.getBytes(StandardCharsets.UTF_8));
        environment.send(before.id(), MessageJson.write(notice(broken)));
        environment.send(before.id(), MessageJson.write(notice(after)));
        environment.send(before.id(), MessageJson.write(pay(after)));

        awaitAnnounced(before, "1 pending", "2 paid");
        awaitAnnounced(after, "1 pending", "2 paid");
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(environment.deadCommands(before.id()))
                .extracting(dead -> header(dead, "reason").orElse(""))
                .containsExactlyInAnyOrder("invalid_message", "failed"));
    }

    /** After a failover of MongoDB a majority read may miss a stored transaction for a moment. With the fault its command was lost. */
    @Test
    void aTransactionThatCannotBeReadYetIsReadAgain() {
        Transaction notYetRead = Transactions.cashin(new Amount(15075));

        environment.send(pay(notYetRead));
        await().during(Duration.ofMillis(500))
                .until(() -> environment.deadCommands(notYetRead.id()).isEmpty());
        environment.stored(notYetRead);

        awaitAnnounced(notYetRead, "1 pending", "2 paid");
    }

    @Test
    void aCommandForAnUnknownTransactionBecomesADeadLetter() {
        Transaction neverStored = Transactions.cashin(new Amount(15075));
        Transaction neverStoredEither = Transactions.cashout(new Amount(15075));

        environment.send(process(neverStored));
        environment.send(pay(neverStoredEither));

        assertThat(header(awaitDead(neverStored), "reason")).contains("transaction_not_found");
        assertThat(header(awaitDead(neverStoredEither), "reason")).contains("transaction_not_found");
    }

    @Test
    void aLiveTransactionNeverReachesTheSimulator() {
        Transaction live = environment.stored(LiveMode.of(Transactions.cashin(new Amount(5011))));

        environment.send(process(live));

        assertThat(header(awaitDead(live), "reason")).contains("no_rail");
        assertThat(environment.read(live.id())).isEqualTo(live);
    }

    @Test
    void metricsAndHealthAreServedOnOnePort() {
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(15075)));
        environment.send(process(cashin));
        awaitAnnounced(cashin, "1 pending");

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(processor.get("/actuator/prometheus"))
                .contains("ligeiro_intake_commands_total{")
                .contains("ligeiro_intake_batch_size_records_count")
                .contains("ligeiro_intake_batch_duration_seconds_count")
                .contains("ligeiro_rail_calls_total{call=\"submit\",outcome=\"pending\",rail=\"simulator\"}"));
        assertThat(processor.get("/actuator/health/readiness"))
                .contains("\"consumer\"")
                .contains("\"partitions\":3");
        assertThat(processor.isAlive()).isTrue();
    }

    @Test
    void eventsNameTheRequestThatCausedThem() {
        Origin create = new Origin("create-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        Origin pay = new Origin("pay-1", null);
        Transaction cashin = environment.stored(Transactions.cashin(new Amount(1000)));
        Transaction other = environment.stored(Transactions.cashin(new Amount(1000)));
        environment.send(TestEnvironment.process(cashin), create);
        environment.send(TestEnvironment.process(other));
        environment.send(TestEnvironment.pay(cashin), pay);

        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(environment.origins(cashin.id())).containsExactly(create, pay);
            assertThat(environment.origins(other.id())).containsExactly(Origin.NONE);
            assertThat(TRACES.spans())
                    .filteredOn(span -> span.traceId().equals("4bf92f3577b34da6a3ce929d0e0e4736"))
                    .extracting(ReceivedSpan::parentSpanId, ReceivedSpan::name)
                    .containsExactly(tuple("00f067aa0ba902b7", "command process"));
        });
    }

    /** reactor-netty 4361: with 1.3.7 the server stopped reading after some tens of requests, and a probe got no answer. */
    @Test
    void aKeptAliveConnectionIsReadToTheLastRequest() {
        for (int i = 0; i < 200; i++) {
            assertThat(processor.isAlive()).isTrue();
        }
    }

    private static TransactionCommand notice(Transaction reported) {
        return new TransactionCommand.RailNotice(
                reported.id(),
                "simulator",
                reported.endToEndId(),
                reported.terms().amount());
    }

    private static void processBatch(TransactionCommand... commands) {
        Batch batch = processor
                .bean(ProcessCommands.class)
                .process(List.of(commands), new Origins())
                .blockOptional(TIMEOUT)
                .orElseThrow();
        assertThat(batch.unprocessable()).isEmpty();
    }

    /** The events of {@code transaction} as they were sent, repetitions included. */
    private static void awaitSent(Transaction transaction, String... events) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(environment.announced(transaction.id()))
                .containsExactly(events));
    }

    /** On a slow machine a batch may be retried, and then its events are sent again. */
    private static void awaitAnnounced(Transaction transaction, String... events) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(
                        environment.announced(transaction.id()).stream().distinct())
                .containsExactly(events));
    }

    private static ConsumerRecord<byte[], byte[]> awaitDead(Transaction transaction) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(environment.deadCommands(transaction.id()))
                .hasSize(1));
        return environment.deadCommands(transaction.id()).get(0);
    }

    private static Entry.StatusChanged lastChange(Transaction transaction) {
        List<Entry> entries = environment.read(transaction.id()).history().statusEntries();
        return (Entry.StatusChanged) entries.get(entries.size() - 1);
    }

    /** Repeats a test that counts updates while transactions of other tests are updated too: by the rail's answers, or when due. */
    private static void untilUndisturbed(ThrowingRunnable test) {
        await().atMost(TIMEOUT).untilAsserted(test);
    }

    private static double updates(String collection) {
        return processor
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
