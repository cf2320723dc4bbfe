package dev.ligeiro.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.CapturedLogs;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.testing.http.Answer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class ShutdownIT {

    /** A sandbox action waits two seconds for its outcome, so the gateway stops while it waits. An open checkout page would wait on. */
    @Test
    void runningRequestsAreAnsweredStreamsEndAndNoErrorIsLogged() {
        RunningGateway gateway = RunningGateway.start();
        try (CapturedLogs logs = new CapturedLogs();
                SentCommands commands = new SentCommands()) {
            TestMerchant merchant = gateway.newMerchant();
            String id = merchant.created(merchant.cashin());
            CompletableFuture<Answer> underWay =
                    merchant.api().postAsync("/api/v1/sandbox/transaction/" + id + "/pay", "");
            CompletableFuture<Answer> openPage =
                    CompletableFuture.supplyAsync(() -> gateway.api().get("/checkout/" + id + "/events"));
            await().until(() -> commands.of(id).size() == 2);
            await().until(() -> gateway.admin()
                    .get("/actuator/metrics/ligeiro.gateway.checkout.pages")
                    .body()
                    .contains("\"value\":1.0"));

            gateway.close();

            underWay.join().expect(202);
            assertThat(openPage.join().expect(200).after()).isLessThan(Duration.ofSeconds(5));
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
