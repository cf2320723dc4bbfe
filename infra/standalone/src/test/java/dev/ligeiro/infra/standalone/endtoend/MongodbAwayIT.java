package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MongodbAwayIT {

    /** The promise is 3 s, which the gateway's own tests hold; the rest is for a machine that has other things to do. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(15);

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(30);

    private final Ligeiro ligeiro = Ligeiro.running();
    private final Merchant merchant = ligeiro.newMerchant();

    /** It hangs first and then dies, under load. */
    @Test
    void callersAreToldToComeAgainAndNothingAcknowledgedIsLost() {
        Environment before = ligeiro.environment();
        long mongod = before.pid(Environment.MONGOD);
        try (Receiver receiver = new Receiver(merchant);
                SteadyFlow flow = new SteadyFlow(merchant)) {
            flow.awaitMore(50);
            Signal.STOP.send(mongod);
            await().atMost(NOTICED_WITHIN).until(() -> !flow.refusals().isEmpty());
            Signal.KILL.send(mongod);
            flow.awaitMore(50);
            Map<String, Course> acknowledged = flow.end();

            assertThat(flow.refusals())
                    .allSatisfy(refusal -> assertThat(refusal.after()).isLessThan(ANSWERED_WITHIN));
            assertThat(flow.unanswered()).isZero();
            new Ledger(merchant, receiver, acknowledged).check();
            assertThat(ligeiro.environment().pid(Environment.MONGOD)).isNotEqualTo(mongod);
            for (String service : Environment.SERVICES) {
                assertThat(ligeiro.environment().pids(service)).as(service).isEqualTo(before.pids(service));
            }
        }
    }
}
