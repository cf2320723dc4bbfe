package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The processor with a rail whose outcomes the test sets. */
class LiveRailIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final CountingRail rail = new CountingRail();
    private final Transaction cashout = LiveMode.of(Transactions.cashout(new Amount(15075)));
    private TestEnvironment environment;
    private RunningProcessor processor;

    @BeforeEach
    void start() {
        environment = new TestEnvironment();
        processor = RunningProcessor.startWith(rail);
        await().atMost(TIMEOUT).until(processor::isReady);
        environment.stored(cashout);
    }

    @AfterEach
    void stop() {
        processor.close();
        environment.close();
    }

    @Test
    void aStopWaitsForTheCurrentBatch() throws InterruptedException {
        Sinks.One<RailOutcome> answer = Sinks.one();
        rail.outcome = answer.asMono();
        environment.send(process(cashout));
        await().atMost(TIMEOUT).until(() -> rail.submissions.get() == 1);

        Thread stopping = new Thread(processor::close, "stopping");
        stopping.start();
        await().atMost(TIMEOUT).until(processor::isStopping);
        assertThat(environment.read(cashout.id()).status()).isEqualTo(Status.IN_PROCESS);
        answer.tryEmitValue(new RailOutcome.Settled());
        stopping.join(TIMEOUT.toMillis());

        assertThat(stopping.isAlive()).isFalse();
        assertThat(environment.read(cashout.id()).status()).isEqualTo(Status.PAID);
        assertThat(environment.announced(cashout.id())).containsExactly("1 pending", "2 in_process", "3 paid");
    }

    @Test
    void anUnknownOutcomeStaysInProcessUntilAnInquiryHasTheOutcome() {
        rail.outcome = Mono.error(new IllegalStateException("connection reset"));
        environment.send(process(cashout));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(environment.announced(cashout.id()))
                .containsExactly("1 pending", "2 in_process"));

        rail.outcome = Mono.just(new RailOutcome.Rejected("account_closed"));
        environment.send(process(cashout));
        await().atMost(TIMEOUT).until(() -> environment.read(cashout.id()).status() == Status.DENIED);

        assertThat(rail.submissions).hasValue(1);
        assertThat(rail.inquiries).hasValue(1);
        assertThat(environment.read(cashout.id()).lastEvent().reason()).isEqualTo("account_closed");
    }
}
