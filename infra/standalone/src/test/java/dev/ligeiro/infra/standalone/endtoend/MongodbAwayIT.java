package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.DemoEnv;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Order(7)
@Timeout(300)
class MongodbAwayIT {

    /** The promise is 3 s, which the gateway's own tests hold; the rest is for a machine that has other things to do. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(15);

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(30);

    private final Ligeiro ligeiro = Ligeiro.running();
    private final Merchant merchant = ligeiro.newMerchant();

    /** MongoDB hangs first and then dies, under load. */
    @Test
    void callersGet503AndNoAcknowledgedTransactionIsLost() {
        DemoEnv.Pids before = ligeiro.environment().pids();
        long mongod = before.mongod().get(0);
        try (Receiver receiver = new Receiver(merchant);
                SteadyLoad load = new SteadyLoad(merchant)) {
            load.awaitMore(50);
            Signal.STOP.send(mongod);
            await().atMost(NOTICED_WITHIN).until(() -> !load.refusals().isEmpty());
            Signal.KILL.send(mongod);
            load.awaitMore(50);
            Map<String, ExpectedCourse> acknowledged = load.end();

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
