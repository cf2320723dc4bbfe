package dev.ligeiro.gateway;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class ShutdownIT {

    private static final String CREATED = "HTTP/1.1 201 ";
    private static final String LAST = "\nconnection: close\n";

    /** A sandbox action waits two seconds for its outcome, so the gateway stops while it waits. An open checkout page would wait on. */
    @Test
    void runningRequestsAreAnsweredStreamsEndAndNoErrorIsLogged() {
        RunningGateway gateway = RunningGateway.start();
        try (CapturedLogs logs = new CapturedLogs();
                SentCommands commands = new SentCommands()) {
            TestMerchant merchant = gateway.newMerchant();
            String id = merchant.created(merchant.cashin());
            CompletableFuture<Answer> openPage =
                    CompletableFuture.supplyAsync(() -> gateway.api().get("/checkout/" + id + "/events"));
            await().until(() -> gateway.management()
                    .get("/actuator/metrics/ligeiro.gateway.checkout.pages")
                    .body()
                    .contains("\"value\":1.0"));
            CompletableFuture<Answer> underWay =
                    merchant.api().postAsync("/api/v1/sandbox/transaction/" + id + "/pay", "");
            await().until(() -> commands.of(id).size() == 2);

            gateway.close();

            assertThat(underWay.join().expect(202).header("Connection")).isEqualTo("close");
            assertThat(openPage.join().expect(200).after()).isLessThan(Duration.ofSeconds(20));
            assertThat(logs.errors()).isEmpty();
            assertThat(logs.lines())
                    .noneMatch(line -> line.contains("IllegalStateException"))
                    .noneMatch(line -> line.contains("RejectedExecution"));
        } finally {
            gateway.close();
        }
    }

    /** Each client goes to the other gateway when a response closes its connection. */
    @Test
    void noRequestIsLostWhileAGatewayStops(RunningGateway other, TestMerchant merchant) {
        RunningGateway stopping = RunningGateway.startOn(other.database(), other.clock(), "ligeiro.http.drain-time=6s");
        try (RawConnection idle = new RawConnection(stopping.port())) {
            assertThat(create(idle, merchant)).startsWith(CREATED);
            List<MovingClient> clients = Stream.generate(() -> new MovingClient(stopping, other, merchant))
                    .limit(3)
                    .toList();
            await().until(() -> clients.stream().allMatch(client -> client.atFirst.get() > 0));

            CompletableFuture<Void> stop = CompletableFuture.runAsync(stopping::close);
            await().until(() ->
                    stopping.management().get("/actuator/health/readiness").status() == 503);
            try (RawConnection late = new RawConnection(stopping.port())) {
                assertThat(create(late, merchant)).startsWith(CREATED).containsIgnoringCase(LAST);
                assertThat(late.readAll()).isEmpty();
            }
            stop.join();

            assertThat(idle.readAll()).isEmpty();
            await().until(() -> clients.stream().allMatch(client -> client.atSecond.get() > 0));
            clients.forEach(MovingClient::stop);
        } finally {
            stopping.close();
        }
    }

    private static String create(RawConnection connection, TestMerchant merchant) {
        String body = merchant.cashin().toString();
        connection.send("POST " + CASHIN + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + merchant.key()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n"
                + body);
        return connection.readResponse();
    }

    /** Creates cashins one after the other over a kept connection to a gateway, and to another one when that connection ends. */
    private static final class MovingClient {

        private final TestMerchant merchant;
        private final AtomicInteger atFirst = new AtomicInteger();
        private final AtomicInteger atSecond = new AtomicInteger();
        private final CompletableFuture<Void> creates;
        private volatile boolean stopped;

        private MovingClient(RunningGateway first, RunningGateway second, TestMerchant merchant) {
            this.merchant = merchant;
            this.creates = CompletableFuture.runAsync(() -> createUntilTheLast(first, atFirst))
                    .thenRunAsync(() -> createUntilTheLast(second, atSecond));
        }

        private void createUntilTheLast(RunningGateway gateway, AtomicInteger created) {
            try (RawConnection connection = new RawConnection(gateway.port())) {
                String response = "";
                while (!stopped && !response.toLowerCase(Locale.ROOT).contains(LAST)) {
                    response = create(connection, merchant);
                    assertThat(response).startsWith(CREATED);
                    created.incrementAndGet();
                }
                assertThat(stopped ? "" : connection.readAll()).isEmpty();
            }
        }

        private void stop() {
            stopped = true;
            creates.join();
        }
    }
}
