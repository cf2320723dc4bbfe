package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Order(8)
@Timeout(300)
class KafkaAwayIT {

    private static final Duration BACK_WITHIN = Duration.ofMinutes(2);

    private final Ligeiro ligeiro = Ligeiro.running();
    private final Merchant merchant = ligeiro.newMerchant();

    /** Kafka hangs first, which only its clients notice, and then dies. */
    @Test
    void transactionsAreAcceptedMeanwhileAndProcessedWhenItIsBack() {
        long kafka = kafkaPid();
        try (Receiver receiver = new Receiver(merchant);
                SteadyLoad load = new SteadyLoad(merchant)) {
            load.awaitMore(30);
            Signal.STOP.send(kafka);
            load.awaitMore(60);
            requireThatPaymentsAreRefused();
            Signal.KILL.send(kafka);
            await().atMost(BACK_WITHIN).until(() -> kafkaPid() != kafka);
            load.awaitMore(60);
            Map<String, ExpectedCourse> acknowledged = load.end();

            assertThat(load.unanswered()).isZero();
            new CompletenessCheck(merchant, receiver, acknowledged).run();
        }
    }

    /** A payment cannot be queued: the caller gets a 503 with Retry-After. */
    private void requireThatPaymentsAreRefused() {
        ShownTransaction pending = merchant.createCashin(merchant.cashin("10.00"));
        assertThat(merchant.tryToPay(pending.id()).expect(503).header("Retry-After"))
                .isNotBlank();
    }

    private long kafkaPid() {
        return ligeiro.environment().pids().kafka().get(0);
    }
}
