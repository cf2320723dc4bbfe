package dev.ligeiro.gateway;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.testing.trace.OtlpReceiver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A gateway with other settings than the shared one, on the same database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SettingsIT extends WithGateway {

    private final OtlpReceiver traces = new OtlpReceiver();
    private final RunningGateway configured;

    SettingsIT() {
        List<String> settings = new ArrayList<>(traces.settings());
        settings.addAll(List.of(
                "ligeiro.public-url=https://pix.example.com",
                "ligeiro.console.url=https://console.example.com",
                "ligeiro.http.access-log=true",
                "ligeiro.webhook.allowed-networks=127.0.0.0/8,::1/128",
                "ligeiro.bundle.signing-keys=",
                "ligeiro.rails.routes[0].rail=bank",
                "ligeiro.rails.routes[0].operation=cashout"));
        this.configured =
                RunningGateway.startOn(gateway.database(), TestClock.ticking(), settings.toArray(String[]::new));
    }

    @AfterAll
    void close() {
        configured.close();
        traces.close();
    }

    /** The client's own trace does not decide whether this one is recorded. */
    @Test
    void aTraceBeginsAtTheRequestAndGoesOnInItsCommand() {
        String clientTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
        String id = Api.send(configured
                        .api()
                        .withToken(merchant.key())
                        .json("POST", CASHIN, merchant.cashin())
                        .header("traceparent", "00-" + clientTrace + "-00f067aa0ba902b7-00"))
                .expect(201)
                .transactionId();

        await().untilAsserted(() -> {
            assertThat(commands.origins(id)).hasSize(1);
            String parent = commands.origins(id).get(0).traceParent();
            assertThat(traces.spans()).anySatisfy(span -> {
                assertThat(span.name()).isEqualTo("POST " + CASHIN);
                assertThat(span.parentSpanId()).isEmpty();
                assertThat(span.traceId()).isNotEqualTo(clientTrace);
                assertThat(parent).startsWith("00-" + span.traceId() + "-" + span.spanId() + "-0");
            });
        });
    }

    /** A rail is routed for cashouts only. */
    @Test
    void testAndLiveAreApartAsSoonAsARailIsRouted() {
        TestMerchant prepared = merchant.live();
        Api live = configured.api().withToken(prepared.key());
        merchant.created(merchant.cashin().put("reference", "order-1"));
        assertThat(live.post(CASHOUT, merchant.cashout())
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("platform:unknown");

        Answer cashout = live.post(CASHOUT, prepared.cashout().put("reference", "order-1"))
                .expect(201);

        live.get(ONE + cashout.transactionId()).expect(200);
        merchant.api().get(ONE + cashout.transactionId()).expectProblem(404, "transaction_not_found");
        assertThat(total(live, "")).isEqualTo(1);
        assertThat(total(live, "?reference=order-1")).isEqualTo(1);
        assertThat(total(live, "?platform=" + merchant.platform())).isZero();
        assertThat(total(merchant.api(), "?reference=order-1")).isEqualTo(1);
        String test = merchant.created(merchant.cashin());
        assertThat(stored.find(cashout.transactionId()).terms().rail()).isEqualTo("bank");
        assertThat(stored.find(test).terms().rail()).isEqualTo("simulator");
        live.post(CASHIN, prepared.cashin()).expectProblem(409, "live_mode_not_configured");
        assertThat(total(live, "")).isEqualTo(1);
    }

    /** The shared configured has no route to a rail, as after its removal. */
    @Test
    void aLiveCreateIsReplayedAfterItsRouteWasRemoved() {
        TestMerchant without = gateway.newMerchant().live();
        TestMerchant with = new TestMerchant(configured, without.id(), without.platform(), without.key());
        Answer first =
                with.post(CASHOUT, with.cashout().put("reference", "r"), "k").expect(201);

        Answer replayed = without.post(CASHOUT, without.cashout().put("reference", "r"), "k")
                .expect(201);

        assertThat(replayed.body()).isEqualTo(first.body());
        assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replayed.header("Location")).isEqualTo(first.header("Location"));
        for (Answer other : List.of(
                without.post(CASHOUT, without.cashout().put("reference", "r").put("amount", 2), "k"),
                without.post(CASHIN, without.cashin(), "k"))) {
            assertThat(other.expectProblem(422, "idempotency_key_reused").text("transaction_id"))
                    .isEqualTo(first.transactionId());
        }
        without.post(CASHOUT, without.cashout().put("reference", "r"), "a new key")
                .expectProblem(409, "live_mode_not_configured");
        without.post(CASHOUT, "{}", "a new key").expectProblem(409, "live_mode_not_configured");
        without.api().post(CASHOUT, without.cashout()).expectProblem(409, "live_mode_not_configured");
        assertThat(total(without.api(), "")).isEqualTo(1);
    }

    private static int total(Api api, String query) {
        return api.get(ALL + query).expect(200).json().path("total").asInt();
    }

    @Test
    void theAccessLogHasALineForEachRequestWithoutItsQuery() {
        try (CapturedLogs logs = new CapturedLogs()) {
            Api api = configured.api().withToken(merchant.key());
            Api.send(api.request(ALL + "?phone=11987654321").header("X-Request-Id", "list-1"))
                    .expect(200);
            Api.send(configured.api().request("/52998224725").header("X-Request-Id", "none-1"))
                    .expect(404);

            await().untilAsserted(() -> assertThat(logs.lines())
                    .anyMatch(line -> line.contains("event.action=\"http_request\", method=\"GET\", route=\"" + ALL
                                    + "\", status=\"200\", duration_ms=")
                            && line.contains("request_id=\"list-1\", merchant.number="))
                    .anyMatch(line -> line.contains("route=\"unmatched\", status=\"404\"")
                            && line.contains("request_id=\"none-1\"")
                            && !line.contains("merchant.number"))
                    .noneMatch(line -> line.contains("11987654321") || line.contains("52998224725")));
        }
    }

    @Test
    void withoutAKeyThereAreNoBundles() {
        String id = merchant.created(merchant.cashin());
        Api api = configured.api().withToken(merchant.key());

        api.get(ONE + id + "/bundle").expectProblem(409, "bundles_not_configured");
        api.get(ONE + id).expect(200);
        assertThat(configured.api().get("/.well-known/jwks.json").expect(200).body())
                .isEqualTo("{\"keys\":[]}");
    }

    @Test
    void linksBeginWithThePublicUrl() {
        Answer created = configured.api().withToken(merchant.key()).post(CASHIN, merchant.cashin());

        assertThat(created.transaction().path("payment_link").stringValue())
                .startsWith("https://pix.example.com/checkout/");
    }

    @Test
    void anEndpointInAnAllowedNetworkMayBeRegistered() {
        Api api = configured.api().withToken(merchant.key());

        api.post("/api/v1/webhooks", "{\"url\":\"http://127.0.0.1:9000/hooks\"}")
                .expect(201);
        api.post("/api/v1/webhooks", "{\"url\":\"http://10.0.0.1/\"}").expectProblem(422, "validation_failed");
    }

    @Test
    void aLinkLeadsToTheConsoleAndItsCodeIsUsedOnce() {
        String sessions = "/api/v1/console-sessions";
        String url = configured
                .api()
                .withToken(merchant.key())
                .post(sessions, "{\"language\":\"en\"}")
                .expect(201)
                .text("url");
        Map<String, String> code = Map.of("code", url.substring(url.lastIndexOf('/') + 1));
        Answer entered = configured.api().post(sessions + "/enter", code).expect(200);
        assertThat(url).startsWith("https://console.example.com/console/enter/");
        assertThat(entered.text("mode") + entered.text("language")).isEqualTo("testen");
        assertThat(entered.json().path("idle_seconds").intValue()).isEqualTo(1_800);
        configured.api().post(sessions + "/enter", code).expectProblem(404, "not_found");
        configured.api().post(sessions + "/enter", Map.of("code", "no code")).expectProblem(404, "not_found");
    }
}
