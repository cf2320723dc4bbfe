package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseHeadTest {

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 OK|Date: x|Content-Length: 2||ok', 'HTTP/1.1 200 OK|Content-Length: 2||', ok",
        "'HTTP/1.1 204||', 'HTTP/1.1 204||', ''",
        "'|HTTP/1.1 204 No|RETRY-AFTER:5|retry-after-2: 6||', 'HTTP/1.1 204 No|RETRY-AFTER:5||', ''",
        "'HTTP/1.1 200 OK|Set-Cookie: a|  connection: b|Connection: keep-alive,| close||', 'HTTP/1.1 200 OK|Connection: keep-alive,| close||', ''",
        "'HTTP/1.1 103 Hints|Link: x||HTTP/1.1 100 Go||HTTP/1.0 500 No|no colon|: none||a||b', 'HTTP/1.0 500 No||', 'a||b'",
        "'HTTP/1.1 101 Switching||more', 'HTTP/1.1 101 Switching||', more",
        "'SSH-2.0|more', 'SSH-2.0|', more",
    })
    void onlyTheLinesThatTheClientNeedsAreKept(String response, String reduced, String rest) throws Exception {
        byte[] bytes = bytes(response);
        ResponseHead head = new ResponseHead();
        for (int first = 0; first <= bytes.length; first++) {
            head.begin();
            ByteBuffer part = ByteBuffer.wrap(bytes, 0, first);
            head.take(part);
            ByteBuffer more = ByteBuffer.wrap(bytes, part.position(), bytes.length - part.position());
            head.take(more);
            assertThat(head.isComplete()).isTrue();
            assertThat(head.reduced()).isEqualTo(ByteBuffer.wrap(bytes(reduced)));
            assertThat(more).isEqualTo(ByteBuffer.wrap(bytes(rest)));
        }
    }

    @Test
    void aHeadKeepsFewBytesHoweverLongItIs() throws Exception {
        ResponseHead head = new ResponseHead();
        head.take(ByteBuffer.wrap(bytes("HTTP/1.1 200 OK|X: " + "x".repeat(1 << 20) + "|" + "X: y|".repeat(10_000))));
        assertThat(head.isComplete()).isFalse();
        assertThat(head.cut()).isTrue();
        assertThat(head.reduced()).isEqualTo(ByteBuffer.wrap(bytes("HTTP/1.1 200 OK|Connection: close||")));

        head.begin();
        assertThatThrownBy(() -> head.take(ByteBuffer.wrap(bytes("HTTP/1.1 200 " + "x".repeat(5_000)))))
                .isInstanceOf(IOException.class);
        head.begin();
        assertThatThrownBy(() ->
                        head.take(ByteBuffer.wrap(bytes("HTTP/1.1 200 OK|" + "Connection: close|".repeat(1_000)))))
                .isInstanceOf(IOException.class);
    }

    @Test
    void withoutAFinalStatusLineThereIsNothingToCut() throws Exception {
        ResponseHead head = new ResponseHead();
        assertThat(head.cut()).isFalse();
        head.take(ByteBuffer.wrap(bytes("HTTP/1.1 103 Hints|Link: x|")));
        assertThat(head.cut()).isFalse();
    }

    private static byte[] bytes(String lines) {
        return lines.replace("|", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
