package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.look;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processor crashes between two steps of a batch, and another one takes over. */
class CrashIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path folder;
    private TestEnvironment environment;

    CrashIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void open() {
        TestTopics.create(Topics.COMMANDS, 3);
        TestTopics.create(Topics.EVENTS, 3);
        environment = new TestEnvironment();
    }

    @AfterEach
    void close() {
        environment.close();
    }

    /**
     * The first processor crashes while the rail has the submission, the second one before it sends an event. The third one asks the rail
     * when the open call is due.
     */
    @Test
    void aCashoutIsSubmittedOnceAndAllItsEventsAreSentInSpiteOfCrashes() {
        Transaction cashout = environment.stored(LiveMode.of(Transactions.cashout(new Amount(15075))));
        String group = ConsumerGroups.startingNow(Topics.COMMANDS);
        environment.send(process(cashout));
        environment.flush();

        awaitCrash(CrashPoint.SUBMISSION, group);
        assertThat(environment.read(cashout.id()).status()).isEqualTo(Status.IN_PROCESS);
        assertThat(environment.announced(cashout.id())).isEmpty();

        group = ConsumerGroups.takingOver(group);
        awaitCrash(CrashPoint.FIRST_EVENT, group);
        Transaction stored = environment.read(cashout.id());
        assertThat(stored.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(environment.announced(cashout.id())).isEmpty();

        group = ConsumerGroups.takingOver(group);
        CountingRail rail = new CountingRail();
        rail.answer = CompletableFuture.completedFuture(RailOutcome.Settled.asAgreed());
        try (RunningProcessor next =
                RunningProcessor.startWith(rail, CountingRail.ROUTE, "spring.kafka.consumer.group-id=" + group)) {
            await().atMost(TIMEOUT).until(() -> !Instant.now().isBefore(Objects.requireNonNull(stored.dueAt())));
            environment.send(look(stored));
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(environment.announced(cashout.id()))
                    .containsExactly("1 pending", "2 in_process", "3 paid"));
            assertThat(next.isAlive()).isTrue();
        }
        assertThat(rail.submissions).hasValue(0);
        assertThat(rail.inquiries).hasValue(1);
        assertThat(environment.read(cashout.id()).openCalls()).isEmpty();
    }

    private void awaitCrash(CrashPoint point, String group) {
        Path log = folder.resolve(point + ".log");
        ChildProcess processor =
                CrashingProcessor.start(point, log, CountingRail.ROUTE, "spring.kafka.consumer.group-id=" + group);
        try {
            assertThat(processor.endsWithin(TIMEOUT))
                    .as(() -> processor.failureSummary())
                    .isTrue();
            assertThat(processor.exitStatus())
                    .as(() -> processor.failureSummary())
                    .isEqualTo("exit code " + CrashingProcessor.CRASHED);
        } finally {
            processor.kill();
        }
    }
}
