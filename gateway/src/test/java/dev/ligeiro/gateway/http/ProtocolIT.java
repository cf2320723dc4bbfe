package dev.ligeiro.gateway.http;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.transaction.Status;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are refused before their fields are read: each response is a problem, and no transaction is stored. */
class ProtocolIT extends WithGateway {

    private static final String ID = "019cd831-1973-7abc-9def-0123456789ab";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/nope",
                "/api/v1",
                "/api/v2/transactions",
                "/api/v1/transactions/",
                "/api/v1/transaction",
                "/api/v1/transaction/a/b",
                "/api/v1/sandbox/transaction/" + ID + "/explode",
                "/actuator/health",
                "/admin/merchants",
                "/%2e%2e/etc/passwd"
            })
    void anUnknownPathIsNotFound(String path) {
        merchant.api().get(path).expectProblem(404, "not_found");
    }

    /** With the fault, it was 500 on the management port, with a stack trace in the log. */
    @ParameterizedTest
    @CsvSource({
        "GET,    /actuator/health,               text/plain,       406, not_acceptable",
        "GET,    /actuator/health,               nothing,          406, not_acceptable",
        "GET,    /actuator/prometheus,           application/json, 406, not_acceptable",
        "GET,    /actuator/metrics/jvm.memory.used?tag=x, '*/*',   400, malformed_request",
        "GET,    /actuator/env,                  '*/*',            404, not_found",
        "GET,    /nothing,                       text/plain,       404, not_found",
        "POST,   /actuator/health,               '*/*',            405, method_not_allowed",
        "DELETE, /actuator/prometheus,           text/plain,       405, method_not_allowed",
    })
    void refusalsOfTheManagementPortAreProblemsToo(String method, String path, String accept, int status, String code) {
        try (CapturedLogs logs = new CapturedLogs()) {
            Api.send(gateway.management()
                            .request(path)
                            .header("Accept", accept)
                            .header("Content-Type", "text/plain")
                            .method(method, BodyPublishers.ofString(method.equals("GET") ? "" : "x")))
                    .expectProblem(status, code);

            assertThat(logs.errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    " + CASHIN + ",             POST",
        "HEAD,   " + CASHOUT + ",            POST",
        "OPTIONS," + CASHIN + ",             POST",
        "POST,   " + ALL + ",                GET",
        "PUT,    /api/v1/webhooks/" + ID + ", 'DELETE, GET, PATCH'",
        "POST,   /checkout/" + ID + ",       'GET, HEAD'",
        "HEAD,   /checkout/" + ID + "/events, GET",
    })
    void anUnsupportedMethodIsRefusedWithTheAllowedOnes(String method, String path, String allowed) {
        Answer answer = Api.send(merchant.api().request(path).method(method, BodyPublishers.noBody()));

        assertThat(answer.expect(405).header("Allow")).isEqualTo(allowed);
        if (!method.equals("HEAD")) {
            answer.expectProblem(405, "method_not_allowed");
        }
    }

    /** A browser sends it before a page's request to another origin. */
    @Test
    void aCorsPreflightIsARequestWithAnUnsupportedMethod() {
        Answer refused = Api.send(gateway.api()
                .request(CASHIN)
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Origin", "https://shop.example")
                .header("Access-Control-Request-Method", "POST"));

        assertThat(refused.expectProblem(405, "method_not_allowed").header("Allow"))
                .isEqualTo("POST");
    }

    /** Link previews and uptime checks send it. */
    @ParameterizedTest
    @CsvSource({
        "/checkout/" + ID + ", 404",
        "/docs,                200",
        "/docs/docs.css,       200",
        "/openapi.json,        200",
    })
    void aHeadOfAPageIsItsGetWithoutContent(String path, int status) {
        Answer get = gateway.api().get(path).expect(status);

        try (RawConnection connection = new RawConnection(gateway.port())) {
            String head = path + " HTTP/1.1\r\nHost: localhost:" + gateway.port() + "\r\n\r\n";
            connection.send("HEAD " + head);
            assertThat(connection.readHead())
                    .startsWith("HTTP/1.1 " + status)
                    .containsIgnoringCase("content-type: " + get.header("Content-Type"))
                    .containsIgnoringCase("content-length: " + get.header("Content-Length"));

            connection.send("GET " + head);
            assertThat(connection.readHead()).startsWith("HTTP/1.1 " + status);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "application/xml",
                "image/*, text/*;q=0.5",
                "nonsense",
                "application/problem+json",
                "application/json;q=0",
                "application/json;q=0, text/html",
                "application/json;q=0, */*",
                "*/*, application/*;q=0"
            })
    void anAcceptHeaderWithoutJsonIsRefused(String accept) {
        for (String path : new String[] {ALL, ONE + ID, "/api/v1/webhooks"}) {
            Api.send(merchant.api().request(path).header("Accept", accept)).expectProblem(406, "not_acceptable");
        }
        Api.send(merchant.api().json("POST", CASHIN, merchant.cashin()).header("Accept", accept))
                .expectProblem(406, "not_acceptable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "*/*",
                "application/*",
                "text/html, application/json;q=0.1",
                "application/json;q=0.1, */*;q=0",
                "text/html;q=0, application/*"
            })
    void anAcceptHeaderWithJsonIsServed(String accept) {
        Answer answer =
                Api.send(merchant.api().request(ALL).header("Accept", accept)).expect(200);

        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/xml",
                "application/problem+json",
                "application/*",
                "json",
                "application/json;charset=none-such",
                "application/json;charset=iso-8859-1",
                "application/json;charset=utf-16"
            })
    void aBodyThatIsNotJsonIsUnsupported(String contentType) {
        Api.send(merchant.api()
                        .request(CASHIN)
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString(merchant.cashin().toString())))
                .expectProblem(415, "unsupported_media_type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json;charset=utf-8", "application/json; charset=\"UTF-8\"", "Application/JSON"})
    void aBodyOfJsonIsRead(String contentType) {
        Api.send(merchant.api().json("POST", CASHIN, merchant.cashin()).setHeader("Content-Type", contentType))
                .expect(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "\u0000"})
    void aBodyThatCannotBeReadIsMalformed(String body) {
        merchant.api().post(CASHIN, body).expectProblem(400, "malformed_request");
    }

    @Test
    void refusedRequestsStoreNothing() {
        TestMerchant fresh = gateway.newMerchant();
        fresh.api().post(CASHIN, "{").expect(400);
        fresh.api().post(CASHIN, fresh.cashin().put("amount", 0)).expect(422);
        fresh.api().post(CASHIN, fresh.cashin().put("expires_in", 0)).expect(422);
        fresh.api().post(CASHOUT, fresh.cashin()).expect(422);
        Api.send(fresh.api().json("POST", CASHIN, fresh.cashin()).header("Accept", "text/html"))
                .expect(406);
        gateway.api().post(CASHIN, fresh.cashin()).expect(401);

        assertThat(fresh.api().get(ALL).expect(200).json().path("total").asInt())
                .isZero();
    }

    @Test
    void everyFieldErrorIsNamedAtOnce() {
        Answer refused = merchant.api()
                .post(CASHOUT, "{\"amount\":1e400,\"name\":{\"$gt\":\"\"}}")
                .expectProblem(422, "validation_failed");

        assertThat(refused.text("detail")).isEqualTo("9 fields are invalid");
        assertThat(refused.fieldErrors()).hasSize(9).contains("amount:invalid", "name:wrong_type", "pix_key:required");
    }

    /** Keys, webhook secrets and payers' data are in them. The contract is the same for all, and a browser may keep it. */
    @Test
    void noCacheKeepsAnAnswerOfTheApi() {
        List<Answer> answers = List.of(
                merchant.api().get(ALL).expect(200),
                merchant.api().get(ONE + ID).expect(404),
                merchant.api().post(CASHIN, merchant.cashin()).expect(201),
                gateway.api().get(ALL).expect(401),
                merchant.api().get("/nope").expect(404),
                merchant.api().get(ALL + "?reference=" + "a".repeat(5_000)).expect(414));

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.header("Cache-Control")).isEqualTo("no-store"));
        assertThat(gateway.api().get("/openapi.json").expect(200).header("Cache-Control"))
                .isEmpty();
        assertThat(gateway.api().get("/docs").expect(200).header("Cache-Control"))
                .isEqualTo("no-cache");
    }

    @Test
    void aValidRequestIdIsKept() {
        String longest = "a".repeat(64);

        assertThat(requestIdFor("order-77_a.B")).isEqualTo("order-77_a.B");
        assertThat(requestIdFor(longest)).isEqualTo(longest);
        assertThat(requestIdFor(longest + "a")).matches("[0-9a-f]{16}");
        assertThat(requestIdFor("two words")).matches("[0-9a-f]{16}");
        assertThat(requestIdFor("é")).matches("[0-9a-f]{16}");
        assertThat(requestIdFor("{}")).isNotEqualTo(requestIdFor("{}"));
    }

    private String requestIdFor(String given) {
        return Api.send(merchant.api().request(ALL).header("X-Request-Id", given))
                .header("X-Request-Id");
    }

    /** The server waits for the body after it has sent 100 Continue. Regression: the disconnect was logged as an error. */
    @Test
    void aDisconnectWithinTheBodyIsNoError() {
        try (CapturedLogs logs = new CapturedLogs()) {
            for (int i = 0; i < 5; i++) {
                try (RawConnection connection = new RawConnection(gateway.port())) {
                    connection.send("POST " + CASHIN + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                            + merchant.key() + "\r\nContent-Type: application/json\r\nContent-Length: 500\r\n"
                            + "Expect: 100-continue\r\n\r\n");
                    assertThat(connection.readLine()).isEqualTo("HTTP/1.1 100 Continue");
                    connection.send("{");
                }
            }
            merchant.created(merchant.cashin());

            assertThat(logs.errors()).isEmpty();
        }
    }

    /** A new route is here by itself. */
    @Test
    void everyBodyButThatOfACreateRefusesUnknownFields() {
        String transaction = merchant.created(merchant.cashin());
        String endpoint = TestEndpoint.of(merchant).id().toString();
        gateway.stored().move(transaction, Status.PAID);
        String dispute = gateway.stored().disputed(transaction, Instant.now()).toString();
        TestMerchant approver =
                merchant.withKey(merchant.newKey("cashouts:approve").key());
        List<String> routes = new ArrayList<>(gateway.routes());
        routes.removeIf(route -> route.matches("(GET|DELETE|HEAD) .*"));

        assertThat(routes).hasSizeGreaterThan(15);
        for (String route : routes) {
            String path = route.split(" ")[1]
                    .replace("{delivery_id}", endpoint + "." + endpoint)
                    .replaceAll(
                            "\\{[a-z_]*}",
                            route.contains("/webhooks/")
                                    ? endpoint
                                    : route.contains("/disputes/") ? dispute : transaction);
            TestMerchant sender = path.endsWith("/approve") ? approver : merchant;
            Answer answer = Api.send(sender.api().json(route.split(" ")[0], path, "{\"unknown_member\":1}"));

            boolean isCreate = path.equals(CASHIN) || path.equals(CASHOUT);
            answer.expectProblem(422, "validation_failed");
            assertThat(answer.fieldErrors().contains("unknown_member:unknown_field"))
                    .as("%s refuses unknown fields: %s", route, answer.body())
                    .isNotEqualTo(isCreate);
        }
        merchant.api().post(CASHIN, merchant.cashin().put("unknown_member", 1)).expect(201);
    }
}
