package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.observe.HttpMetrics;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.gateway.problem.ProblemJson;
import dev.ligeiro.gateway.problem.RequestId;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Sends a problem for a request that Netty cannot parse, such as one with a control character in a header (RFC 9110 §5.5), a request
 * line of more than 4 KiB or headers of more than 8 KiB. Reactor Netty answers it with an empty 400, 414 or 431 and closes the
 * connection; this replaces the empty response.
 */
@Component
class UnreadableHead implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private final ChannelHandler handler;

    UnreadableHead(HttpMetrics metrics) {
        this.handler = new Handler(metrics);
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(
                server -> server.doOnChannelInit((observer, channel, remote) -> addTo(channel.pipeline())));
    }

    private void addTo(ChannelPipeline pipeline) {
        // absent with HTTP/2
        if (pipeline.get(NettyPipeline.HttpCodec) != null) {
            pipeline.addAfter(NettyPipeline.HttpCodec, "unreadable-head", handler);
        }
    }

    @ChannelHandler.Sharable
    private static final class Handler extends ChannelOutboundHandlerAdapter {

        private final HttpMetrics metrics;

        private Handler(HttpMetrics metrics) {
            this.metrics = metrics;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            // handlers send a head and a body apart, the server sends its own refusals as one message
            if (message instanceof FullHttpResponse response
                    && !response.content().isReadable()) {
                Problem refusal = refusal(response.status());
                context.write(refusal == null ? message : problem(refusal, response, context.channel()), promise);
            } else {
                context.write(message, promise);
            }
        }

        private static @Nullable Problem refusal(HttpResponseStatus status) {
            return switch (status.code()) {
                case 400 ->
                    Problem.of(
                            ProblemCode.MALFORMED_REQUEST,
                            "The request line, a header or the framing of the body is not valid HTTP/1.1");
                case 408 -> Problem.of(ProblemCode.REQUEST_TIMEOUT, "Send the request without pauses");
                case 414 -> Problem.of(ProblemCode.URI_TOO_LONG, "A request line has at most 4096 bytes");
                case 431 -> Problem.of(ProblemCode.HEADERS_TOO_LARGE, "The headers have at most 8192 bytes");
                default -> null;
            };
        }

        private FullHttpResponse problem(Problem refusal, FullHttpResponse empty, Channel channel) {
            metrics.unreadable();
            HttpServerRequest request = ChannelOperations.get(channel) instanceof HttpServerRequest read ? read : null;
            String requestId = RequestId.validOrNew(
                    request == null ? null : request.requestHeaders().get(RequestId.HEADER));
            byte[] body = ProblemJson.of(refusal, path(request), requestId);
            empty.headers()
                    .set(RequestId.HEADER, requestId)
                    .set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                    .setInt(HttpHeaders.CONTENT_LENGTH, body.length);
            FullHttpResponse response = empty.replace(Unpooled.wrappedBuffer(body));
            empty.release();
            return response;
        }

        /** {@code /bad-request} is Netty's target of a request line that it could not read. */
        private static String path(@Nullable HttpServerRequest request) {
            return request == null
                            || !request.uri().startsWith("/")
                            || request.uri().equals("/bad-request")
                    ? "/"
                    : UnreadableTarget.withoutQuery(request.uri());
        }
    }
}
