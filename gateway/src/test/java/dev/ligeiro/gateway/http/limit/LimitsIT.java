package dev.ligeiro.gateway.http.limit;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.testing.log.CapturedLogs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway with small limits: what one client does, the others do not notice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitsIT {

    private static final int CONNECTIONS_MAX = 300;
    private static final String UNKNOWN_CASHIN = "/api/v1/transaction/019cd831-1973-7abc-9def-0123456789ab/cancel";

    private final RunningGateway gateway = RunningGateway.start(
            "ligeiro.http.connections-max=" + CONNECTIONS_MAX,
            // long enough for each whole request of a busy machine, and for all connections of a test to be opened
            "ligeiro.http.request-timeout=3s",
            "ligeiro.rate-limits.key-writes-per-second=5",
            "ligeiro.long-reads.lists-per-tenant=1",
            "ligeiro.long-reads.pages-per-tenant=1",
            "ligeiro.long-reads.wait-max=100ms");
    private final TestMerchant merchant = gateway.newMerchant();

    @AfterAll
    void stop() {
        gateway.close();
    }

    @Test
    void aKeyAboveItsRateIsRefusedAndOtherMerchantsAreNot() {
        TestMerchant eager = gateway.newMerchant();
        List<Answer> answers =
                IntStream.range(0, 200).mapToObj(i -> eager.api().postAsync(UNKNOWN_CASHIN, "")).toList().stream()
                        .map(CompletableFuture::join)
                        .toList();

        List<Answer> refused =
                answers.stream().filter(answer -> answer.status() == 429).toList();
        assertThat(answers.size() - refused.size()).isBetween(50, 199);
        assertThat(refused).allSatisfy(answer -> {
            answer.expectProblem(429, "rate_limited");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.header("RateLimit")).matches("\"key-writes\";r=0;t=\\d+");
            assertThat(answer.header("RateLimit-Policy"))
                    .isEqualTo("\"key-writes\";q=50;w=10, \"merchant-writes\";q=20000;w=10");
        });
        eager.api().get(ALL).expect(200);
        assertThat(merchant.api().post(CASHIN, merchant.cashin()).expect(201).header("RateLimit"))
                .matches("\"key-writes\";r=\\d+;t=\\d+, \"merchant-writes\";r=\\d+;t=\\d+");
    }

    @Test
    void withoutAKeyNothingIsCounted() {
        assertThat(gateway.api()
                        .get(ALL)
                        .expectProblem(401, "unauthorized")
                        .headers()
                        .map())
                .doesNotContainKeys("ratelimit", "ratelimit-policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {ALL + "?status=pending", "/api/v1/webhooks", "/api/v1/events"})
    void manyReadsOfOneMerchantLeaveOthersAlone(String path) {
        TestMerchant curious = gateway.newMerchant();
        TestMerchant other = gateway.newMerchant();
        Stream.generate(() -> curious.api().postAsync(CASHIN, curious.cashin()))
                .limit(40)
                .toList()
                .forEach(CompletableFuture::join);
        List<CompletableFuture<Answer>> lists =
                allAtOnce(150, () -> curious.api().get(path));
        List<CompletableFuture<Answer>> others = allAtOnce(20, () -> other.api().post(CASHIN, other.cashin()));

        assertThat(others).allSatisfy(create -> create.join().expect(201));
        List<Answer> answers = lists.stream().map(CompletableFuture::join).toList();
        assertThat(answers).extracting(Answer::status).contains(429);
        // a slow machine may end a list at its time limit; but the lists of one merchant are never too many of all
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 200 && answer.status() != 429)
                .allSatisfy(late -> late.expectProblem(503, "unavailable"));
        other.api().get(path).expect(200);
    }

    @Test
    void aRequestThatIsNotCompletedIsAnswered408() {
        try (CapturedLogs logs = new CapturedLogs();
                RawConnection head = new RawConnection(gateway.port());
                RawConnection body = new RawConnection(gateway.port())) {
            head.send("GET " + ALL + " HTTP/1.1\r\nHost: localhost\r\nX-Slow");
            body.send(post(merchant.key()) + "{\"name\":");

            assertThat(head.readAll())
                    .startsWith("HTTP/1.1 408 Request Timeout\r\n")
                    .contains("request_timeout");
            assertThat(body.readAll())
                    .startsWith("HTTP/1.1 408 Request Timeout\r\n")
                    .contains(CASHIN);
            assertThat(logs.errors()).isEmpty();
        }
    }

    /** Its body is not read, so no handler ever notices that it does not come. */
    @Test
    void aRefusedRequestWhoseBodyDoesNotComeLosesItsConnection() {
        try (RawConnection connection = new RawConnection(gateway.port())) {
            connection.send(post("sk_test_unknown") + "{");

            assertThat(connection.readAll())
                    .startsWith("HTTP/1.1 401 Unauthorized\r\n")
                    .doesNotContain("HTTP/1.1 408");
        }
    }

    @Test
    void halfOpenRequestsDoNoHarmAndTheirNumberIsBounded() {
        List<RawConnection> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS_MAX - 50; i++) {
                halfOpen.add(halfOpen());
            }
            merchant.created(merchant.cashin());
            for (int i = 0; i < 60; i++) {
                halfOpen.add(halfOpen());
            }
            // event loops count connections in another order than that in which they were opened
            await().until(() ->
                    halfOpen.stream().filter(RawConnection::isClosedByServer).count() >= 10);
            try (RawConnection oneMore = new RawConnection(gateway.port())) {
                assertThat(oneMore.readAll()).isEmpty();
            }
        } finally {
            halfOpen.forEach(RawConnection::close);
        }
        merchant.created(merchant.cashin());
    }

    private RawConnection halfOpen() {
        RawConnection connection = new RawConnection(gateway.port());
        connection.send("P");
        return connection;
    }

    private static String post(String key) {
        return "POST " + CASHIN + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n";
    }

    private static List<CompletableFuture<Answer>> allAtOnce(int count, Supplier<Answer> request) {
        return Stream.generate(() -> CompletableFuture.supplyAsync(request, task -> new Thread(task).start()))
                .limit(count)
                .toList();
    }
}
