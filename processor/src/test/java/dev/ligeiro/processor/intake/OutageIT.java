package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** MongoDB and Kafka are away and come back: no command is lost, none becomes a dead letter. */
@Execution(ExecutionMode.SAME_THREAD)
class OutageIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** The setting by which an outage of MongoDB is noticed after two seconds. */
    private static final String SHORT_OPERATIONS = "ligeiro.mongodb.operation-timeout=2s";

    private static final String SHORT_CONNECT = "ligeiro.mongodb.connect-timeout=1s";
    private static final String LEAVES_SOON = "ligeiro.intake.leave-group-after=3s";

    private TestEnvironment environment;

    @BeforeEach
    void open() {
        environment = new TestEnvironment();
    }

    @AfterEach
    void close() {
        TestBrokers.mongodb().start();
        TestBrokers.kafka().start();
        environment.close();
    }

    @Test
    @Tag("nightly")
    void commandsWaitForMongodbAndForKafka() {
        // the consumer sends a heartbeat every second, so that an outage of Kafka is noticed after two
        TestTopics.create(Topics.COMMANDS, 3);
        String group = ConsumerGroups.startingNow(Topics.COMMANDS);
        List<String> settings = new ArrayList<>(ConsumerGroups.session(Duration.ofSeconds(3)));
        settings.addAll(List.of(
                SHORT_OPERATIONS,
                SHORT_CONNECT,
                LEAVES_SOON,
                "ligeiro.intake.heartbeat-age-max=2s",
                "spring.kafka.consumer.group-id=" + group));
        try (RunningProcessor processor = RunningProcessor.start(settings.toArray(String[]::new))) {
            await().atMost(TIMEOUT).until(processor::isReady);

            Transaction sentWithoutMongodb = environment.stored(Transactions.cashin(new Amount(5011)));
            TestBrokers.mongodb().stop();
            environment.send(process(sentWithoutMongodb));
            environment.flush();
            await().atMost(TIMEOUT).until(() -> !processor.isReady() && partitions(processor) == 0);
            assertThat(processor.isAlive()).isTrue();
            TestBrokers.mongodb().start();
            awaitPaid(sentWithoutMongodb);
            await().atMost(TIMEOUT).until(processor::isReady);

            Transaction sentAfterKafka = environment.stored(Transactions.cashin(new Amount(5011)));
            TestBrokers.kafka().freeze();
            await().atMost(TIMEOUT).until(() -> !processor.isReady());
            assertThat(processor.isAlive()).isTrue();
            TestBrokers.kafka().start();
            environment.send(process(sentAfterKafka));
            awaitPaid(sentAfterKafka);
            await().atMost(TIMEOUT).until(processor::isReady);
        }
    }

    /** With the fault, a third of the transactions or more stayed pending until the processor without MongoDB was stopped. */
    @Test
    void aProcessorThatLacksOnlyMongodbLeavesItsPartitionsToOthers() {
        TestTopics.create(Topics.COMMANDS, 3);
        String group = "spring.kafka.consumer.group-id=" + ConsumerGroups.startingNow(Topics.COMMANDS);
        String unreachable = "spring.mongodb.uri=mongodb://127.0.0.1:" + Ports.free() + "/" + RunningProcessor.DATABASE;
        try (RunningProcessor without =
                RunningProcessor.start(SHORT_OPERATIONS, SHORT_CONNECT, LEAVES_SOON, unreachable, group)) {
            await().atMost(TIMEOUT).until(() -> partitions(without) == 3);
            try (RunningProcessor other = RunningProcessor.start(group)) {
                List<Transaction> cashins = IntStream.range(0, 20)
                        .mapToObj(i -> environment.stored(Transactions.cashin(new Amount(5011))))
                        .toList();
                cashins.forEach(cashin -> environment.send(process(cashin)));

                cashins.forEach(this::awaitPaid);
                assertThat(partitions(without)).isZero();
                assertThat(without.isAlive()).isTrue();
                assertThat(partitions(other)).isEqualTo(3);
            }
        }
    }

    private static int partitions(RunningProcessor processor) {
        Collection<TopicPartition> assigned = Objects.requireNonNull(
                        processor.bean(KafkaListenerEndpointRegistry.class).getListenerContainer(CommandListener.ID))
                .getAssignedPartitions();
        return assigned == null ? 0 : assigned.size();
    }

    @Test
    @Tag("nightly")
    void startsBeforeItsBrokers() {
        TestBrokers.kafka().stop();
        TestBrokers.mongodb().stop();

        try (RunningProcessor processor = RunningProcessor.start(SHORT_OPERATIONS)) {
            assertThat(processor.isReady()).isFalse();
            assertThat(processor.isAlive()).isTrue();

            TestBrokers.mongodb().start();
            TestBrokers.kafka().start();
            Transaction cashin = environment.stored(Transactions.cashin(new Amount(5011)));
            environment.send(process(cashin));

            awaitPaid(cashin);
            await().atMost(TIMEOUT).until(processor::isReady);
        }
    }

    private void awaitPaid(Transaction cashin) {
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        assertThat(environment.read(cashin.id()).status()).isEqualTo(Status.PAID);
        assertThat(environment.deadCommands(cashin.id())).isEmpty();
    }
}
