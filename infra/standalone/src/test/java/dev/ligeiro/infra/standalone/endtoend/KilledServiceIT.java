package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KilledServiceIT {

    /** The start of a JVM on a busy machine, and the 10 s for which Kafka keeps a killed consumer's partitions. */
    private static final Duration BACK_WITHIN = Duration.ofMinutes(2);

    private final Ligeiro ligeiro = Ligeiro.running();
    private final Merchant merchant = ligeiro.newMerchant();

    /** Each service dies in the middle of its work, as by a crash or for want of memory. */
    @Test
    void comesBackAndWhatWasAcknowledgedIsProcessedOnceAndAnnounced() {
        try (Receiver receiver = new Receiver(merchant);
                SteadyFlow flow = new SteadyFlow(merchant)) {
            for (String service : Environment.SERVICES) {
                flow.awaitMore(50);
                kill(service);
                flow.awaitMore(50);
                awaitWebhookOfANewTransaction(receiver);
            }
            Map<String, Course> acknowledged = flow.end();

            new Ledger(merchant, receiver, acknowledged).check();
            assertThat(flow.refused()).isEmpty();
        }
    }

    private void kill(String service) {
        long killed = ligeiro.environment().pid(service);
        Signal.KILL.send(killed);
        await(service).atMost(BACK_WITHIN).until(() -> ligeiro.environment().pid(service) != killed);
        assertThat(ligeiro.output()).contains("(pid %d) ended with signal 9; it is started again".formatted(killed));
    }

    private void awaitWebhookOfANewTransaction(Receiver receiver) {
        String id = merchant.create(Merchant.CASHIN, merchant.cashin("10.11")).id();
        await("webhook").atMost(BACK_WITHIN).until(() -> receiver.of(id).size() >= 2);
    }
}
