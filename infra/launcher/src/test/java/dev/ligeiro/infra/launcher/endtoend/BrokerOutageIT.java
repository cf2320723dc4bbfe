package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.testing.brokers.Signal;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Order(8)
@Isolated("it stops mongod and Kafka")
@Timeout(600)
class BrokerOutageIT {

    /** The gateway's own tests check the promised 3 s; the remaining time is for a busy machine. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(15);

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(30);
    private static final Duration RESTARTED_WITHIN = Duration.ofMinutes(2);

    private final SharedSystem ligeiro = SharedSystem.running();
    private final EndToEndMerchant merchant = ligeiro.newMerchant();

    /** Under load, MongoDB is suspended first and then killed. */
    @Test
    void withoutMongodbCallersGet503AndNoAcknowledgedTransactionIsLost() {
        DemoEnv.Pids before = ligeiro.environment().pids();
        long mongod = before.mongod().get(0);
        try (Receiver receiver = new Receiver(merchant);
                ConstantLoad load = new ConstantLoad(merchant)) {
            load.awaitMore(50);
            Signal.STOP.send(mongod);
            await().atMost(NOTICED_WITHIN).until(() -> !load.refusals().isEmpty());
            Signal.KILL.send(mongod);
            load.awaitMore(50);
            Map<String, ExpectedLifecycle> acknowledged = load.end();

            assertThat(load.refusals())
                    .allSatisfy(refusal -> assertThat(refusal.after()).isLessThan(ANSWERED_WITHIN));
            assertThat(load.unanswered()).isZero();
            new CompletenessCheck(merchant, receiver, acknowledged).run();
            DemoEnv.Pids after = ligeiro.environment().pids();
            assertThat(after.mongod()).isNotEqualTo(before.mongod());
            assertThat(after.gateway()).isEqualTo(before.gateway());
            assertThat(after.processor()).isEqualTo(before.processor());
            assertThat(after.webhookDispatcher()).isEqualTo(before.webhookDispatcher());
        }
    }

    /** Kafka is suspended first, which only its clients notice, and then killed. */
    @Test
    void withoutKafkaTransactionsAreAcceptedAndProcessedAfterTheOutage() {
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
