package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaAwayIT {

    private static final Duration BACK_WITHIN = Duration.ofMinutes(2);

    private final Ligeiro ligeiro = Ligeiro.running();
    private final Merchant merchant = ligeiro.newMerchant();

    /** It hangs first, which only its clients notice, and then dies. */
    @Test
    void transactionsAreTakenAllTheSameAndProcessedOnceItIsBack() {
        long kafka = ligeiro.environment().pid(Environment.KAFKA);
        try (Receiver receiver = new Receiver(merchant);
                SteadyFlow flow = new SteadyFlow(merchant)) {
            flow.awaitMore(30);
            Signal.STOP.send(kafka);
            flow.awaitMore(60);
            requireThatNoPaymentIsPromised();
            Signal.KILL.send(kafka);
            await().atMost(BACK_WITHIN).until(() -> ligeiro.environment().pid(Environment.KAFKA) != kafka);
            flow.awaitMore(60);
            Map<String, Course> acknowledged = flow.end();

            assertThat(flow.unanswered()).isZero();
            new Ledger(merchant, receiver, acknowledged).check();
        }
    }

    /** A change that cannot be queued: its caller is told to come again. */
    private void requireThatNoPaymentIsPromised() {
        Shown pending = merchant.create(Merchant.CASHIN, merchant.cashin("10.00"));
        assertThat(merchant.tryToPay(pending.id()).expect(503).retryAfter()).isNotBlank();
    }
}
