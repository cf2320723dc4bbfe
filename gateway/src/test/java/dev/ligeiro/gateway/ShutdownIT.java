package dev.ligeiro.gateway;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShutdownIT extends WithGateway {

    private static final String CREATED = "HTTP/1.1 201 ";
    private static final String LAST = "\nconnection: close\n";

    /** A sandbox action waits two seconds for its outcome, so the gateway stops while it waits. An open checkout page would wait on. */
    @Test
    void runningRequestsAreAnsweredStreamsEndAndNeitherErrorsNorSecretsAreLogged() {
        RunningGateway stopping = RunningGateway.start();
        try (CapturedLogs logs = new CapturedLogs()) {
            TestMerchant caller = stopping.newMerchant();
            List<String> secrets = secretsOf(caller);
            String id = caller.created(caller.cashin());
            CompletableFuture<Answer> openPage =
                    CompletableFuture.supplyAsync(() -> stopping.api().get("/checkout/" + id + "/events"));
            await().until(() -> stopping.management()
                    .get("/actuator/metrics/ligeiro.gateway.checkout.pages")
                    .body()
                    .contains("\"value\":1.0"));
            CompletableFuture<Answer> underWay =
                    caller.api().postAsync("/api/v1/sandbox/transaction/" + id + "/pay", "");
            await().until(() -> commands.of(id).size() == 2);

            stopping.close();

            assertThat(underWay.join().expect(202).header("Connection")).isEqualTo("close");
            assertThat(openPage.join().expect(200).after()).isLessThan(Duration.ofSeconds(20));
            assertThat(logs.errors()).isEmpty();
            assertThat(logs.lines())
                    .isNotEmpty()
                    .noneMatch(line -> line.contains("IllegalStateException"))
                    .noneMatch(line -> line.contains("RejectedExecution"))
                    .noneMatch(line -> secrets.stream().anyMatch(line::contains));
        } finally {
            stopping.close();
        }
    }

    /** What no line of successful and failed requests may have, after such requests. */
    private static List<String> secretsOf(TestMerchant merchant) {
        Api api = merchant.api();
        String id = merchant.created(
                merchant.cashin().put("reference", "order-of-the-logs").put("extra", "extra-of-the-logs"));
        api.post(CASHIN, merchant.cashin().put("reference", "order-of-the-logs"))
                .expect(409);
        api.post(CASHOUT, merchant.cashout()).expect(201);
        api.post(CASHOUT, merchant.cashout().put("document", "52998224726")).expect(422);
        api.post(CASHIN, "{\"document\":\"52998224725\",").expect(400);
        api.get(ONE + id).expect(200);
        api.get(ALL + "?name_document=52998224725&phone=11987654321").expect(200);
        api.get(ALL + "?name=" + "Concei").expect(422);
        api.postNothing("/api/v1/sandbox/transaction/" + id + "/pay").expect(202);
        api.withToken(merchant.key() + "x").get(ALL).expect(401);
        String secret = api.post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}")
                .expect(201)
                .text("secret");
        String known = Bodies.NAME + "|Concei|" + Bodies.EMAIL + "|" + Bodies.EMAIL.toLowerCase(Locale.ROOT)
                + "|98765-4321|11987654321|" + Bodies.DOCUMENT + "|52998224725|" + Bodies.PIX_KEY
                + "|maria.souza|order-of-the-logs|extra-of-the-logs|" + merchant.key() + "|" + secret;
        return List.of(known.split("\\|"));
    }

    /** Each client goes to the other gateway when a response closes its connection. */
    @Test
    void noRequestIsLostWhileAGatewayStops() {
        RunningGateway stopping =
                RunningGateway.startOn(gateway.database(), gateway.clock(), "ligeiro.http.drain-time=6s");
        try (RawConnection idle = new RawConnection(stopping.port())) {
            assertThat(create(idle, merchant)).startsWith(CREATED);
            List<MovingClient> clients = Stream.generate(() -> new MovingClient(stopping, gateway, merchant))
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
