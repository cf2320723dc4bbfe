package dev.ligeiro.gateway.http;

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
 * Sends a problem for a request that Netty cannot parse, such as one with a control character in a header (RFC 9110 §5.5). Reactor Netty
 * answers it with an empty 400 and closes the connection; this replaces the empty response.
 */
@Component
class UnreadableHead implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private static final ChannelHandler HANDLER = new Handler();

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(
                server -> server.doOnChannelInit((observer, channel, remote) -> addTo(channel.pipeline())));
    }

    private static void addTo(ChannelPipeline pipeline) {
        // absent with HTTP/2
        if (pipeline.get(NettyPipeline.HttpCodec) != null) {
            pipeline.addAfter(NettyPipeline.HttpCodec, "unreadable-head", HANDLER);
        }
    }

    @ChannelHandler.Sharable
    private static final class Handler extends ChannelOutboundHandlerAdapter {

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            boolean isEmptyRefusal = message instanceof FullHttpResponse response
                    && response.status().equals(HttpResponseStatus.BAD_REQUEST)
                    && !response.content().isReadable();
            context.write(isEmptyRefusal ? problem((FullHttpResponse) message, context.channel()) : message, promise);
        }

        private static FullHttpResponse problem(FullHttpResponse empty, Channel channel) {
            HttpServerRequest request = ChannelOperations.get(channel) instanceof HttpServerRequest read ? read : null;
            String requestId = RequestId.validOrNew(
                    request == null ? null : request.requestHeaders().get(RequestId.HEADER));
            byte[] body = ProblemJson.of(
                    Problem.of(
                            ProblemCode.MALFORMED_REQUEST,
                            "The request line or a header cannot be read: headers have no control characters"),
                    path(request),
                    requestId);
            empty.headers()
                    .set(RequestId.HEADER, requestId)
                    .set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                    .setInt(HttpHeaders.CONTENT_LENGTH, body.length);
            FullHttpResponse response = empty.replace(Unpooled.wrappedBuffer(body));
            empty.release();
            return response;
        }

        private static String path(@Nullable HttpServerRequest request) {
            return request == null || !request.uri().startsWith("/")
                    ? "/"
                    : UnreadableTarget.withoutQuery(request.uri());
        }
    }
}
