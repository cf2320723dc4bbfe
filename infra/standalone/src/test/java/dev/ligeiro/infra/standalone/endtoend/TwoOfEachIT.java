package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TwoOfEachIT {

    private static final Ligeiro LIGEIRO = Ligeiro.running();

    @AfterAll
    static void stop() {
        LIGEIRO.stop();
    }

    @Test
    void shareTheWorkAndDoItOnce() {
        LIGEIRO.stop();
        LIGEIRO.start("--gateway=2", "--processor=2", "--webhook-dispatcher=2");
        for (String service : Environment.SERVICES) {
            assertThat(LIGEIRO.environment().pids(service))
                    .as(service)
                    .hasSize(2)
                    .doesNotHaveDuplicates();
        }
        Merchant merchant = LIGEIRO.newMerchant();
        try (Receiver receiver = new Receiver(merchant);
                SteadyFlow flow = new SteadyFlow(merchant)) {
            flow.awaitMore(150);
            Map<String, Course> acknowledged = flow.end();

            new Ledger(merchant, receiver, acknowledged).check();
        }
    }
}
