package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BodyStartTest {

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("", null),
                Arguments.of("\0\u0007\u007f\r", null),
                Arguments.of("no\u001b[31m\r\n\tway", "no[31m\n\tway"),
                Arguments.of("{\"erro\":\"não\"} 😀", "{\"erro\":\"não\"} 😀"),
                Arguments.of("x".repeat(5_000), "x".repeat(1_024)),
                // the second byte of the last one is behind the end
                Arguments.of("x".repeat(1_023) + "ãã", "x".repeat(1_023)));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void itIsTheReadablePartOfTheFirstKilobyte(String body, @Nullable String text) {
        assertThat(textOf(body.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
    }

    @Test
    void whatIsNoUtf8IsReplacedAndStaysWithinTheKilobyte() {
        byte[] binary = new byte[1_024];
        Arrays.fill(binary, (byte) 0xE9);

        assertThat(textOf(new byte[] {'o', 'l', (byte) 0xE1})).isEqualTo("ol\uFFFD");
        assertThat(textOf(binary)).isEqualTo("\uFFFD".repeat(341));
    }

    @Test
    void itIsAddedUpAndTheBodyStaysAsItIs() {
        ResponseConsumer.BodyStart start = new ResponseConsumer.BodyStart();
        ByteBuffer part = ByteBuffer.wrap("database ".getBytes(StandardCharsets.UTF_8));
        start.add(part);
        start.add(ByteBuffer.wrap("down".getBytes(StandardCharsets.UTF_8)));

        assertThat(start.text()).isEqualTo("database down");
        assertThat(part.remaining()).isEqualTo(9);
    }

    private static @Nullable String textOf(byte[] body) {
        ResponseConsumer.BodyStart start = new ResponseConsumer.BodyStart();
        start.add(ByteBuffer.wrap(body));
        return start.text();
    }
}
