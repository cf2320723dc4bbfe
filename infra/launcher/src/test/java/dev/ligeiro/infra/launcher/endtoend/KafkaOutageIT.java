package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.brokers.Signal;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Order(8)
@Isolated("it stops Kafka")
@Timeout(600)
class KafkaOutageIT {

    private static final Duration RESTARTED_WITHIN = Duration.ofMinutes(2);

    private final SharedSystem ligeiro = SharedSystem.running();
    private final EndToEndMerchant merchant = ligeiro.newMerchant();

    /** Kafka is suspended first, which only its clients notice, and then killed. */
    @Test
    void transactionsAreAcceptedDuringTheOutageAndProcessedAfterIt() {
        long kafka = kafkaPid();
        try (Receiver receiver = new Receiver(merchant);
                ConstantLoad load = new ConstantLoad(merchant)) {
            load.awaitMore(30);
            Signal.STOP.send(kafka);
            load.awaitMore(30);
            requireThatPaymentsAreRefused();
            Signal.KILL.send(kafka);
            await().atMost(RESTARTED_WITHIN).until(() -> kafkaPid() != kafka);
            load.awaitMore(30);
            Map<String, ExpectedLifecycle> acknowledged = load.end();

            assertThat(load.unanswered()).isZero();
            new CompletenessCheck(merchant, receiver, acknowledged).run();
        }
    }

    /** The gateway does not queue payments: the caller gets a 503 with Retry-After. */
    private void requireThatPaymentsAreRefused() {
        ShownTransaction pending = merchant.createCashin(merchant.cashin("10.00"));
        assertThat(merchant.tryToPay(pending.id()).expect(503).header("Retry-After"))
                .isNotBlank();
    }

    private long kafkaPid() {
        return ligeiro.environment().pids().kafka().get(0);
    }
}
