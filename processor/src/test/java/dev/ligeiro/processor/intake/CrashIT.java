package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processor dies between two steps of a batch, without any clean-up, and another one takes over. */
class CrashIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path folder;
    private TestEnvironment around;

    CrashIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void open() {
        TestTopics.create(Topics.COMMANDS, 3);
        TestTopics.create(Topics.EVENTS, 3);
        around = new TestEnvironment();
    }

    @AfterEach
    void close() {
        around.close();
    }

    /** First it dies while the rail has the submission, then with all changes stored and no event sent. */
    @Test
    void aCashoutIsSubmittedOnceAndToldInFullWhereverTheProcessorDies() {
        Transaction cashout = around.stored(LiveMode.of(Transactions.cashout(new Amount(15075))));
        String group = ConsumerGroups.startingNow(Topics.COMMANDS);
        around.send(process(cashout));
        around.flush();

        awaitCrash(CrashPoint.SUBMISSION, group);
        assertThat(around.read(cashout.id()).status()).isEqualTo(Status.IN_PROCESS);
        assertThat(around.told(cashout.id())).isEmpty();

        group = ConsumerGroups.takingOver(group);
        awaitCrash(CrashPoint.FIRST_EVENT, group);
        Transaction stored = around.read(cashout.id());
        assertThat(stored.status()).isEqualTo(Status.PAID);
        assertThat(around.told(cashout.id())).isEmpty();

        group = ConsumerGroups.takingOver(group);
        CountingRail rail = new CountingRail();
        try (RunningProcessor next = RunningProcessor.startWith(rail, "spring.kafka.consumer.group-id=" + group)) {
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(around.told(cashout.id()))
                    .containsExactly("1 pending", "2 in_process", "3 paid"));
            assertThat(next.isAlive()).isTrue();
        }
        assertThat(rail.submissions).hasValue(0);
        assertThat(around.read(cashout.id())).isEqualTo(stored);
        assertThat(around.events(cashout.id()).get(2).transaction()).isEqualTo(stored);
    }

    private void awaitCrash(CrashPoint point, String group) {
        Path log = folder.resolve(point + ".log");
        ChildProcess processor = CrashingProcessor.start(point, log, "spring.kafka.consumer.group-id=" + group);
        try {
            assertThat(processor.endsWithin(TIMEOUT))
                    .as(() -> processor.failureSummary())
                    .isTrue();
            assertThat(processor.ending())
                    .as(() -> processor.failureSummary())
                    .isEqualTo("exit code " + CrashingProcessor.CRASHED);
        } finally {
            processor.kill();
        }
    }
}
