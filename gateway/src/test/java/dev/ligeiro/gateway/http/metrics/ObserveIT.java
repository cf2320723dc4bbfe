package dev.ligeiro.gateway.http.metrics;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Origin;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** What an operator sees of requests: metrics, and the request id in the records of their commands. */
class ObserveIT extends WithGateway {

    private static final String PAGES = "ligeiro_gateway_checkout_pages{mode=\"test\"} ";

    @Test
    void theRecordsOfCommandsNameTheirRequest() {
        Answer created =
                Api.send(merchant.api().json("POST", CASHIN, merchant.cashin()).header("X-Request-Id", "create-1"));
        String id = created.expect(201).transactionId();
        Api.send(merchant.api()
                        .request("/api/v1/sandbox/transaction/" + id + "/pay")
                        .POST(BodyPublishers.noBody())
                        .header("X-Request-Id", "pay-1"))
                .expect(202);

        await().untilAsserted(() -> assertThat(commands.origins(id))
                .containsExactly(new Origin("create-1", null), new Origin("pay-1", null)));
    }

    @Test
    void requestsAreTimedByRouteAndStatus() {
        double before = gateway.metric(timer("GET", ONE + "{id}", "4xx"));
        double failedCreates = gateway.metric(timer("POST", CASHIN, "5xx"));

        merchant.api().get(ONE + "unknown").expect(404);
        merchant.api().get(ALL + "?page=0").expect(422);
        merchant.api().get("/nope").expect(404);

        await().untilAsserted(() -> {
            assertThat(gateway.metric(timer("GET", ONE + "{id}", "4xx")) - before)
                    .isEqualTo(1);
            assertThat(gateway.metric(timer("GET", ALL, "4xx"))).isPositive();
            assertThat(gateway.metric(timer("other", "unmatched", "4xx"))).isPositive();
        });
        assertThat(gateway.metric(timer("POST", CASHIN, "5xx"))).isEqualTo(failedCreates);
        assertThat(gateway.management().get("/actuator/prometheus").body())
                .containsPattern("ligeiro_http_requests_seconds_bucket\\{[^}]*le=\"0.025\"");
    }

    /** Whatever ends a request, it no longer counts as under way. */
    @Test
    void aRequestThatEndsIsNoLongerInFlight() {
        double unreadable = gateway.metric("ligeiro_http_unreadable_requests_total ");
        double disconnected = gateway.metric("ligeiro_http_disconnected_requests_total ");
        raw("GET " + ALL + " HTTP/1.1\r\nHost: a/b\r\n\r\n").close();
        raw("GET " + ALL + "?a|b HTTP/1.1\r\nHost: a\r\n\r\n").close();
        raw("GET " + ALL + " HTTP/1.1\r\n" + " Host : a\r\n\r\n").close();
        raw(post("Content-Length: 500") + "{").close();
        raw(post("Transfer-Encoding: chunked") + "zz\r\n").close();

        await().untilAsserted(() -> {
            assertThat(gateway.metric("ligeiro_http_unreadable_requests_total ") - unreadable)
                    .isEqualTo(4);
            assertThat(gateway.metric("ligeiro_http_disconnected_requests_total ") - disconnected)
                    .isEqualTo(2);
            assertThat(gateway.metric("ligeiro_http_requests_in_flight ")).isZero();
        });
    }

    /** Its request ends where the stream of statuses begins, so a page that its reader leaves is no disconnected request. */
    @Test
    void anOpenCheckoutPageIsNoRequestInFlight() {
        String events = "/checkout/" + merchant.created(merchant.cashin()) + "/events";
        double pages = gateway.metric(PAGES);
        double disconnected = gateway.metric("ligeiro_http_disconnected_requests_total ");
        double timed = gateway.metric(timer("GET", "/checkout/{id}/events", "2xx"));
        try (RawConnection page = raw("GET " + events + " HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            assertThat(page.readLine()).isEqualTo("HTTP/1.1 200 OK");

            await().untilAsserted(() -> {
                assertThat(gateway.metric(PAGES)).isEqualTo(pages + 1);
                assertThat(gateway.metric("ligeiro_http_requests_in_flight ")).isZero();
                assertThat(gateway.metric(timer("GET", "/checkout/{id}/events", "2xx")))
                        .isEqualTo(timed + 1);
            });
        }

        await().untilAsserted(() -> assertThat(gateway.metric(PAGES)).isEqualTo(pages));
        assertThat(gateway.metric("ligeiro_http_disconnected_requests_total ")).isEqualTo(disconnected);
        assertThat(gateway.metric("ligeiro_http_requests_in_flight ")).isZero();
    }

    private String post(String header) {
        return "POST " + CASHIN + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + merchant.key()
                + "\r\nContent-Type: application/json\r\n" + header + "\r\n\r\n";
    }

    /** A connection whose request has arrived: the server may have answered it. */
    private RawConnection raw(String request) {
        RawConnection connection = new RawConnection(gateway.port());
        connection.send(request);
        return connection;
    }

    private static String timer(String method, String route, String status) {
        return "ligeiro_http_requests_seconds_count{method=\"" + method + "\",route=\"" + route + "\",status=\""
                + status + "\"}";
    }
}
