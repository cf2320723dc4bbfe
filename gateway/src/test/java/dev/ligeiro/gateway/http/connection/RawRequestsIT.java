package dev.ligeiro.gateway.http.connection;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.transaction.Mode;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that HTTP clients do not send. Each response is a problem, and none is worth a line in the log. */
class RawRequestsIT extends WithGateway {

    private static final int BODY_BYTES = 10 * 1024 * 1024;
    private static final String BLOCK = "a".repeat(0x10000);

    @ParameterizedTest
    @CsvSource({
        "'GET {long} HTTP/1.1|Host: a',                                414, uri_too_long",
        "'GET {all} HTTP/1.1|Host: a|X-Other: {long}{long}',           431, headers_too_large",
        "'GET {all} HTTP/1.1',                                         400, malformed_request",
        "'GET {all} HTTP/1.1|Host: a|Host: b',                         400, malformed_request",
        "'GET {all} HTTP/1.1|Host:',                                   400, malformed_request",
        "'GET {all} HTTP/1.1|Host: a/b',                               400, malformed_request",
        "'GET {all} HTTP/1.1|Host: user@a',                            400, malformed_request",
        "'GET {all} HTTP/1.1|Host: a b',                               400, malformed_request",
        "'GET {all} HTTP/1.1|Host: a<b',                               400, malformed_request",
        "'GET {all} HTTP/1.1|Host: a:b',                               400, malformed_request",
        "'GET {all} HTTP/1.1|Host: [::1',                              400, malformed_request",
        "'GET {all} HTTP/2.9x|Host: a',                                400, malformed_request",
        "'GET {all}?reference=é HTTP/1.1|Host: a',                     400, malformed_request",
        // some clients, such as curl, send these characters unencoded
        "'GET {all}?reference=a{bar}b HTTP/1.1|Host: a',               400, malformed_request",
        "'GET {all}?reference={ HTTP/1.1|Host: a',                     400, malformed_request",
        "'GET {all}?reference=% HTTP/1.1|Host: a',                     400, malformed_request",
        "'GET {all}?reference=%zz HTTP/1.1|Host: a',                   400, malformed_request",
        "'GET {all}?name_document=a^b HTTP/1.1|Host: a',               400, malformed_request",
        "'GET {one}{id} HTTP/1.1|Host: a',                             400, malformed_request",
        "'GET {one}%zz HTTP/1.1|Host: a',                              400, malformed_request",
        "'GET {all} HTTP/1.1|Host: a|X-Request-Id: a1|X-Other: a\u0001b', 400, malformed_request",
        "'GET {all} HTTP/1.1|Host: a|X-Request-Id: a1|X-Other : a',    400, malformed_request",
        "'GET {all}?reference=%FF HTTP/1.1|Host: a',                   422, validation_failed",
        "'hello',                                                      400, malformed_request",
        "'get {all} HTTP/1.1|Host: a',                                 405, method_not_allowed",
        "'TRACE {all} HTTP/1.1|Host: a',                               405, method_not_allowed",
        "'OPTIONS * HTTP/1.1|Host: a',                                 404, not_found",
        "'CONNECT a:80 HTTP/1.1|Host: a',                              404, not_found",
        "'POST {cashin} HTTP/1.1|Host: a|Content-Length: -1',          400, malformed_request",
        "'POST {cashin} HTTP/1.1|Host: a|Content-Length: 1|Content-Length: 2', 400, malformed_request",
        "'POST {cashin} HTTP/1.1|Host: a|Transfer-Encoding: unknown',  400, malformed_request",
    })
    void anUnusualHeadIsAProblem(String head, int status, String code) {
        String request = head.replace("{all}", ALL)
                .replace("{cashin}", CASHIN)
                .replace("{long}", "/" + "a".repeat(5_000))
                .replace("{one}", ONE)
                .replace("|", "\r\n")
                .replace("{bar}", "|");
        try (RawConnection connection = new RawConnection(gateway.port())) {
            connection.send(request + "\r\nAuthorization: Bearer " + merchant.key() + "\r\nConnection: close\r\n\r\n");

            String answer = connection.readAll();
            expectProblem(answer, status, code);
            assertThat(answer).contains(head.contains("a1") ? "\"request_id\":\"a1\"" : "\"request_id\":");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET {all} HTTP/1.0",
                "GET {all} HTTP/1.1|Host: my_host:8080",
                "GET {all} HTTP/1.1|Host: [::1]:80"
            })
    void anUnusualHeadIsServed(String head) {
        try (RawConnection connection = new RawConnection(gateway.port())) {
            connection.send(head.replace("{all}", ALL).replace("|", "\r\n") + "\r\nAuthorization: Bearer "
                    + merchant.key() + "\r\nConnection: close\r\n\r\n");

            assertThat(connection.readAll()).contains(" 200 OK\r\n");
        }
    }

    @Test
    void aLargeBodyIsRefusedBeforeItIsSent() {
        try (RawConnection connection = post("Content-Length: " + BODY_BYTES + "\r\nExpect: 100-continue", "")) {
            expectProblem(connection.readAll(), 413, "body_too_large");
        }
    }

    /** The rest of the body is read and dropped, so that the client gets the response and can use the connection again. */
    @Test
    void aLargeBodyIsRefusedWhileItIsSent() {
        try (RawConnection connection = post("Transfer-Encoding: chunked", "")) {
            for (int sent = 0; sent < BODY_BYTES; sent += BLOCK.length()) {
                connection.send("10000\r\n" + BLOCK + "\r\n");
            }
            connection.send("0\r\n\r\nGET " + ALL + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            String answers = connection.readAll();
            expectProblem(answers, 413, "body_too_large");
            expectProblem(answers.substring(answers.lastIndexOf("HTTP/1.1")), 401, "unauthorized");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "x-unknown", "identity, gzip"})
    void anEncodedBodyIsUnsupported(String encoding) {
        try (RawConnection connection =
                post("Content-Encoding: " + encoding + "\r\nContent-Length: 2\r\nConnection: close", "{}")) {
            String answer = connection.readAll();
            expectProblem(answer, 415, "unsupported_media_type");
            assertThat(answer).containsIgnoringCase("accept-encoding: identity");
        }
    }

    /** Regression: the answer of the server and that of the gateway met, which was logged as an error with its stack trace. */
    @ParameterizedTest
    @CsvSource({
        "Transfer-Encoding: chunked,                      'zz|{}|0||'",
        "'Transfer-Encoding: chunked|Content-Length: 3',  '2|{}|0||'",
    })
    void aBodyWithBrokenFramingIsMalformed(String headers, String body) {
        try (CapturedLogs logs = new CapturedLogs()) {
            try (RawConnection connection = post(headers.replace("|", "\r\n"), body.replace("|", "\r\n"))) {
                expectProblem(connection.readAll(), 400, "malformed_request");
            }
            merchant.created(merchant.cashin());

            assertThat(logs.errors()).isEmpty();
        }
    }

    @Test
    void requestsThatComeBeforeEarlierResponsesAreAnsweredInOrder() {
        String key = "Authorization: Bearer " + merchant.key() + "\r\n\r\n";
        try (RawConnection connection = new RawConnection(gateway.port())) {
            connection.send(("GET " + ALL + " HTTP/1.1\r\nHost: a\r\n" + key + "GET " + ALL
                            + "?page=0 HTTP/1.1\r\nHost: a\r\n" + key)
                    .repeat(8));

            for (int i = 0; i < 8; i++) {
                assertThat(connection.readResponse()).startsWith("HTTP/1.1 200 ");
                assertThat(connection.readResponse()).startsWith("HTTP/1.1 422 ");
            }
        }
    }

    /** Regression: the server closed the connection after the response that was next when the last request came. */
    @ParameterizedTest
    @ValueSource(strings = {"Connection: close", "Connection: Keep-Alive, Close"})
    void theLastOfRequestsAheadMayAskForTheEndOfTheConnection(String last) {
        String request = "GET " + ALL + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + merchant.key() + "\r\n";
        try (RawConnection connection = new RawConnection(gateway.port())) {
            connection.send((request + "\r\n").repeat(2) + request.replace(ALL, ALL + "?page=0") + last + "\r\n\r\n"
                    + request + "\r\n");

            assertThat(connection.readResponse()).startsWith("HTTP/1.1 200 ").doesNotContainIgnoringCase("connection:");
            assertThat(connection.readResponse()).startsWith("HTTP/1.1 200 ").doesNotContainIgnoringCase("connection:");
            assertThat(connection.readAll())
                    .startsWith("HTTP/1.1 422 ")
                    .containsIgnoringCase("connection: close\r\n")
                    .containsOnlyOnce("HTTP/1.1");
        }
    }

    /** Regression: bodies were read first, in as many objects as they had chunks, which ended the process. */
    @Test
    void aBodyIsNotReadBeforeItsSenderIsKnown() {
        try (RawConnection connection = new RawConnection(gateway.port())) {
            connection.send("POST /api/v1/webhooks HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 8000\r\n\r\n");

            assertThat(connection.readHead()).startsWith("HTTP/1.1 401 ");
        }
    }

    /** Regression: the server logged a warning for each such connection, so that anybody could fill the log. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1_000})
    void requestsAheadAreAnsweredOrTheirConnectionClosesAndNothingIsLogged(int requests) {
        // an unknown key is looked up, so that the requests after the first one wait
        String request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        try (CapturedLogs logs = new CapturedLogs("reactor");
                RawConnection connection = new RawConnection(gateway.port())) {
            connection.send("GET " + ALL + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + ApiKey.generate(Mode.TEST)
                    + "\r\n\r\n" + request.repeat(requests) + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            connection.awaitClose();
            assertThat(logs.lines()).isEmpty();
        }
    }

    private RawConnection post(String headers, String body) {
        RawConnection connection = new RawConnection(gateway.port());
        connection.send("POST " + CASHIN + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + merchant.key()
                + "\r\nContent-Type: application/json\r\n" + headers + "\r\n\r\n" + body);
        return connection;
    }

    private static void expectProblem(String answer, int status, String code) {
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status + " ")
                .containsIgnoringCase("x-request-id: ")
                .containsIgnoringCase("content-type: application/problem+json")
                .contains("\"code\":\"" + code + "\"", "\"instance\":\"/", "\"request_id\":\"")
                .doesNotContain("/bad-request", "Exception");
    }

    /** The file has 1.5 MB: a copy for each of a hundred readers would be 150 MB. */
    @Test
    void clientsThatReadSlowlyShareOneCopyOfAFile() {
        List<RawConnection> readers = new ArrayList<>();
        long before = PlatformDependent.usedDirectMemory();
        try {
            for (int i = 0; i < 100; i++) {
                readers.add(new RawConnection(gateway.port()));
                readers.get(i).send("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            readers.forEach(reader -> {
                assertThat(reader.readHead()).startsWith("HTTP/1.1 200 OK");
                assertThat(reader.readLine()).startsWith("/*");
            });

            assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(32 * 1024 * 1024);
        } finally {
            readers.forEach(RawConnection::close);
        }
    }
}
