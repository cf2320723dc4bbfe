package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.testing.brokers.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Order(9)
@Isolated("it kills services")
@Timeout(600)
class KilledServiceIT {

    private static final Duration RESTARTED_WITHIN = Duration.ofMinutes(2);

    private final SharedSystem ligeiro = SharedSystem.running();
    private final EndToEndMerchant merchant = ligeiro.newMerchant();

    /** Under load, processor and dispatcher are killed at nearly the same time, then the gateway. */
    @Test
    void isRestartedAndEveryAcknowledgedTransactionIsProcessedAndAnnounced() {
        try (Receiver receiver = new Receiver(merchant);
                FeedReaders readers = new FeedReaders(merchant, 20);
                ConstantLoad load = new ConstantLoad(merchant)) {
            load.awaitMore(50);
            long dispatcher = kill(DemoEnv.Pids::webhookDispatcher);
            long processor = kill(DemoEnv.Pids::processor);
            load.awaitMore(50);
            long gateway = kill(DemoEnv.Pids::gateway);
            load.awaitMore(50);
            Map<String, ExpectedLifecycle> acknowledged = load.end();
            assertThat(load.unanswered()).as("requests to the killed gateway").isPositive();

            awaitRestart(dispatcher, DemoEnv.Pids::webhookDispatcher);
            awaitRestart(processor, DemoEnv.Pids::processor);
            awaitRestart(gateway, DemoEnv.Pids::gateway);
            new CompletenessCheck(merchant, receiver, acknowledged).run();
            readers.requireAllToSee(
                    receiver.received().stream().map(ReceivedWebhook::id).collect(Collectors.toSet()));
        }
    }

    private long kill(Function<DemoEnv.Pids, List<Long>> service) {
        long pid = service.apply(ligeiro.environment().pids()).get(0);
        Signal.KILL.send(pid);
        return pid;
    }

    private void awaitRestart(long killed, Function<DemoEnv.Pids, List<Long>> service) {
        await().atMost(RESTARTED_WITHIN).untilAsserted(() -> assertThat(
                        service.apply(ligeiro.environment().pids()))
                .hasSize(1)
                .doesNotContain(killed));
        assertThat(ligeiro.output()).contains("(pid %d) ended with signal 9; it is restarted".formatted(killed));
    }
}
