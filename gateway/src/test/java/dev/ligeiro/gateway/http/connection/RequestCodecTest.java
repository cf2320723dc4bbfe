package dev.ligeiro.gateway.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.netty.http.server.HttpServer;

class RequestCodecTest {

    private static final String FIELD = "a:\r\n";

    private EmbeddedChannel channel = connection(HttpServer.create());

    private static EmbeddedChannel connection(HttpServer server) {
        return new EmbeddedChannel(new RequestCodec(server.configuration()).ofConnection(() -> {}));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aHeadMayHave100FieldsAndTheNextOneToo() {
        for (int request = 0; request < 2; request++) {
            receive("GET / HTTP/1.1\r\n" + FIELD.repeat(100) + "\r\n");

            HttpRequest head = channel.readInbound();
            assertThat(head.decoderResult().isSuccess()).isTrue();
            assertThat(head.headers().size()).isEqualTo(100);
            ReferenceCountUtil.release(channel.readInbound());
        }
    }

    /** Regression: fields without an end filled the heap, since only their bytes were limited. */
    @Test
    void aHeadWith101FieldsIsRefusedBeforeItsEnd() {
        receive("GET / HTTP/1.1\r\n" + FIELD.repeat(101));
        assertThat(channel.inboundMessages()).isEmpty();

        receive(FIELD);

        HttpRequest head = channel.readInbound();
        assertRefused(head.decoderResult(), TooLongHttpHeaderException.class);
        assertThat(head.headers().size()).isEqualTo(100);
    }

    @Test
    void aBodyMayHave100Trailers() {
        receive("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + FIELD.repeat(100) + "\r\n");

        assertThat(channel.<HttpRequest>readInbound().decoderResult().isSuccess())
                .isTrue();
        assertThat(channel.<HttpContent>readInbound().decoderResult().isSuccess())
                .isTrue();
    }

    @Test
    void aBodyWith101TrailersIsRefusedBeforeItsEnd() {
        receive("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + FIELD.repeat(101));
        assertThat(channel.<HttpRequest>readInbound().decoderResult().isSuccess())
                .isTrue();
        assertThat(channel.inboundMessages()).isEmpty();

        receive(FIELD);

        assertRefused(channel.<HttpContent>readInbound().decoderResult(), TooLongHttpHeaderException.class);
    }

    @Test
    void aConnectionMaySendAFewRequestsBeforeTheirResponses() {
        String request = "GET / HTTP/1.1\r\n\r\n";
        receive(request.repeat(RequestCodec.PIPELINED_MAX));
        assertThat(channel.inboundMessages()).hasSize(2 * RequestCodec.PIPELINED_MAX);

        assertThatThrownBy(() -> receive(request)).hasMessageContaining("maxPipelineDepth");
    }

    @Test
    void theServersLimitsHold() {
        channel = connection(HttpServer.create()
                .httpRequestDecoder(limits -> limits.maxInitialLineLength(20).maxHeaderSize(10)));
        receive("GET / HTTP/1.1\r\na: 3456789\r\n\r\n");
        assertThat(channel.<HttpRequest>readInbound().decoderResult().isSuccess())
                .isTrue();
        ReferenceCountUtil.release(channel.readInbound());

        receive("GET / HTTP/1.1\r\na: 34567890\r\n\r\n");
        assertRefused(channel.<HttpRequest>readInbound().decoderResult(), TooLongHttpHeaderException.class);

        channel = connection(HttpServer.create().httpRequestDecoder(limits -> limits.maxInitialLineLength(20)));
        receive("GET /234567 HTTP/1.1\r\n\r\n");
        assertThat(channel.<HttpRequest>readInbound().decoderResult().isSuccess())
                .isTrue();
        ReferenceCountUtil.release(channel.readInbound());

        receive("GET /2345678 HTTP/1.1\r\n\r\n");
        assertRefused(channel.<HttpRequest>readInbound().decoderResult(), TooLongHttpLineException.class);
    }

    private void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    private static void assertRefused(DecoderResult result, Class<? extends Throwable> cause) {
        assertThat(result.isFailure()).isTrue();
        assertThat(result.cause()).isInstanceOf(cause);
    }
}
