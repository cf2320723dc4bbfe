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

@Order(7)
@Isolated("it stops mongod")
@Timeout(600)
class MongodbOutageIT {

    /** The gateway's own tests check the promised 3 s; the remaining time is for a busy machine. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(15);

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(30);

    private final SharedSystem ligeiro = SharedSystem.running();
    private final EndToEndMerchant merchant = ligeiro.newMerchant();

    /** Under load, MongoDB is suspended first and then killed. */
    @Test
    void callersGet503AndNoAcknowledgedTransactionIsLost() {
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
}
