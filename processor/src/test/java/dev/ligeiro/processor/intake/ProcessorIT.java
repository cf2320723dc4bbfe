package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.change;
import static dev.ligeiro.processor.intake.TestEnvironment.pay;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.testing.trace.ReceivedSpan;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** The service with the simulator, from commands in Kafka to events in Kafka. */
@Order(1)
@Execution(ExecutionMode.SAME_THREAD)
class ProcessorIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor();

    private static final TestEnvironment ENVIRONMENT = PROCESSOR.environment();

    /** Together they have 5 MB, so no part of a batch can read all of them. */
    @Test
    void largeTransactionsAreProcessedInPartsAndInTheOrderOfTheirCommands() {
        Transaction largest = Transactions.largest();
        List<Entry> entries = largest.history().entries();
        History oneRefundLeft = new History(entries.subList(0, entries.size() - 2));
        List<Transaction> large = IntStream.range(0, 30)
                .mapToObj(i -> ENVIRONMENT.stored(Transactions.like(largest)
                        .tenant(new Tenant(10_000 + 2 * i))
                        .createdAs(TransactionId.at(Instant.now()))
                        .history(oneRefundLeft)
                        .build()))
                .toList();
        TransactionId key = large.get(0).id();

        Stream.of(new ChangeAction.Sandbox(SandboxAction.REFUND), new ChangeAction.Refund(null, null, null))
                .forEach(action -> large.forEach(
                        transaction -> ENVIRONMENT.send(key, MessageJson.write(change(transaction, action)))));

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(large)
                .allSatisfy(transaction -> assertThat(lastEntries(ENVIRONMENT.read(transaction.id())))
                        .containsExactly("RefundRequested", "RefundMade", "ChangeRefused")));
        large.forEach(transaction -> ENVIRONMENT.awaitSent(transaction, "102 refund"));
    }

    private static List<String> lastEntries(Transaction transaction) {
        List<Entry> entries = transaction.history().entries();
        return entries.subList(entries.size() - 3, entries.size()).stream()
                .map(entry -> entry.getClass().getSimpleName())
                .toList();
    }

    /**
     * KAFKA-20780, mended in Kafka's client 4.4: after an empty fetch, a consumer asked for more records only with its next heartbeat.
     * Of ten commands at least one is taken without a heartbeat in between; with the fault none is.
     */
    @Test
    void aCommandAfterAPauseDoesNotWaitForTheNextHeartbeat() {
        List<Boolean> waited = new ArrayList<>();
        do {
            Transaction cashin = ENVIRONMENT.stored(Transactions.cashin(new Amount(5011)));
            awaitAnEmptyFetch();
            double before = consumer("heartbeat-total");
            ENVIRONMENT.send(process(cashin));
            await().atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> ENVIRONMENT.read(cashin.id()).status() == Status.PAID);
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
        KafkaListenerEndpointRegistry listeners = PROCESSOR.running().bean(KafkaListenerEndpointRegistry.class);
        return Objects.requireNonNull(listeners.getListenerContainer(CommandListener.ID)).metrics().values().stream()
                .flatMap(metrics -> metrics.entrySet().stream())
                .filter(each -> each.getKey().name().equals(metric)
                        && !each.getKey().tags().containsKey("topic"))
                .mapToDouble(each -> (double) each.getValue().metricValue())
                .sum();
    }

    @Test
    void eventsNameTheRequestThatCausedThem() {
        Origin create = new Origin("create-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        Origin pay = new Origin("pay-1", null);
        Transaction cashin = ENVIRONMENT.stored(Transactions.cashin(new Amount(1000)));
        Transaction other = ENVIRONMENT.stored(Transactions.cashin(new Amount(1000)));
        ENVIRONMENT.send(TestEnvironment.process(cashin), create);
        ENVIRONMENT.send(TestEnvironment.process(other));
        ENVIRONMENT.send(TestEnvironment.pay(cashin), pay);

        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(ENVIRONMENT.origins(cashin.id()).stream().distinct()).containsExactly(create, pay);
            assertThat(ENVIRONMENT.origins(other.id())).containsOnly(Origin.NONE);
            assertThat(StartedProcessor.TRACES.spans())
                    .filteredOn(span -> span.traceId().equals("4bf92f3577b34da6a3ce929d0e0e4736"))
                    .extracting(ReceivedSpan::parentSpanId, ReceivedSpan::name)
                    .containsOnly(tuple("00f067aa0ba902b7", "command process"));
        });
    }

    /** reactor-netty 4361: with 1.3.7 the server stopped reading after some tens of requests, and a probe got no answer. */
    @Test
    void aKeptAliveConnectionIsReadToTheLastRequest() {
        for (int i = 0; i < 200; i++) {
            assertThat(PROCESSOR.running().isAlive()).isTrue();
        }
    }
}
