package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KilledServiceIT {

    private static final Duration RESTARTED_WITHIN = Duration.ofMinutes(1);

    private final Ligeiro ligeiro = Ligeiro.running();
    private final Merchant merchant = ligeiro.newMerchant();

    /** Each service dies in the middle of its work, as by a crash or for want of memory; the last two do so with work to make up for. */
    @Test
    void comesBackAndWhatWasAcknowledgedIsProcessedOnceAndAnnounced() {
        try (Receiver receiver = new Receiver(merchant);
                SteadyFlow flow = new SteadyFlow(merchant)) {
            for (String service : List.of(Environment.GATEWAY, Environment.WEBHOOK_DISPATCHER, Environment.PROCESSOR)) {
                flow.awaitMore(50);
                kill(service);
            }
            flow.awaitMore(50);
            Map<String, Course> acknowledged = flow.end();
            assertThat(flow.unanswered()).as("requests to the dead gateway").isPositive();

            new Ledger(merchant, receiver, acknowledged).check();
        }
    }

    private void kill(String service) {
        long killed = ligeiro.environment().pid(service);
        Signal.KILL.send(killed);
        await(service)
                .atMost(RESTARTED_WITHIN)
                .until(() -> ligeiro.environment().pid(service) != killed);
        assertThat(ligeiro.output()).contains("(pid %d) ended with signal 9; it is started again".formatted(killed));
    }
}
