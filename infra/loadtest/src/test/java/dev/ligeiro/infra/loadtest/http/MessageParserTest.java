package dev.ligeiro.infra.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageParserTest {

    private static final String CREATED =
            "HTTP/1.1 201 Created\r\nLocation:  /api/v1/transaction/x\r\nX-Content-Length: 7\r\ncontent-LENGTH: 5\r\n\r\nhello";
    private static final byte[] LOCATION = Bytes.ascii("location");

    private final MessageParser parser = new MessageParser(256);

    @Test
    void readsAMessageWhereverItIsCut() {
        for (int cut = 1; cut < CREATED.length(); cut++) {
            parser.reset();

            assertThat(parser.accept(bytes(CREATED.substring(0, cut)))).isFalse();
            assertThat(parser.accept(bytes(CREATED.substring(cut)))).isTrue();

            assertThat(parser.status()).isEqualTo(201);
            assertThat(parser.bodyLength()).isEqualTo(5);
            assertThat(text(parser.headLength(), parser.keptLength())).isEqualTo("hello");
        }
    }

    @Test
    void findsAHeaderInAnyCaseByItsWholeName() {
        parser.accept(bytes(CREATED));

        int location = parser.header(LOCATION);

        assertThat(text(location, parser.endOfHeader(location))).isEqualTo("/api/v1/transaction/x");
        assertThat(parser.header(Bytes.ascii("locatio"))).isNegative();
        assertThat(parser.header(Bytes.ascii("etag"))).isNegative();
    }

    @Test
    void countsWhatItDoesNotKeep() {
        String body = "x".repeat(100_000);

        boolean complete = parser.accept(bytes("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + body));

        assertThat(complete).isTrue();
        assertThat(parser.bodyLength()).isEqualTo(100_000);
        assertThat(parser.keptLength()).isEqualTo(256);
    }

    @Test
    void readsOneMessageAfterTheOther() {
        parser.accept(bytes(CREATED));
        parser.reset();

        assertThat(parser.accept(bytes("HTTP/1.1 204 No Content\r\n\r\n"))).isTrue();
        assertThat(parser.status()).isEqualTo(204);
        assertThat(parser.bodyLength()).isZero();
    }

    @Test
    void readsRequestsToo() {
        assertThat(parser.accept(bytes("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")))
                .isTrue();
        parser.reset();
        assertThat(parser.accept(bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc"
            })
    void refusesWhatItCannotMeasure(String message) {
        assertThatThrownBy(() -> parser.accept(bytes(message))).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void refusesAHeadWithoutAnEnd() {
        assertThatThrownBy(() -> parser.accept(bytes("HTTP/1.1 200 OK\r\nX: " + "x".repeat(300))))
                .isInstanceOf(MalformedMessageException.class);
    }

    private String text(int from, int to) {
        return new String(parser.bytes(), from, to - from, StandardCharsets.US_ASCII);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(Bytes.ascii(text));
    }
}
