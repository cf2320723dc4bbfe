package dev.ligeiro.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.CapturedLogs;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.testing.http.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class ShutdownIT {

    /** A sandbox action waits two seconds for its outcome, so the gateway stops while it waits. */
    @Test
    void runningRequestsAreAnsweredAndNoErrorIsLogged() {
        RunningGateway gateway = RunningGateway.start();
        try (CapturedLogs logs = new CapturedLogs();
                SentCommands commands = new SentCommands()) {
            TestMerchant merchant = gateway.newMerchant();
            String id = merchant.created(merchant.cashin());
            CompletableFuture<Answer> underWay =
                    merchant.api().postAsync("/api/v1/sandbox/transaction/" + id + "/pay", "");
            await().until(() -> commands.of(id).size() == 2);

            gateway.close();

            underWay.join().expect(202);
            assertThat(logs.errors()).isEmpty();
            assertThat(logs.lines())
                    .noneMatch(line -> line.contains("IllegalStateException"))
                    .noneMatch(line -> line.contains("RejectedExecution"));
        } finally {
            gateway.close();
        }
    }

    @Test
    void anotherGatewayOfTheJvmGoesOn(RunningGateway shared) {
        RunningGateway.start().close();

        TestMerchant merchant = shared.newMerchant();
        merchant.created(merchant.cashin());
    }
}
