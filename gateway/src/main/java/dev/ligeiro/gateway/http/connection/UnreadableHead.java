package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Sends a problem for a request that Netty cannot parse, such as one with a control character in a header (RFC 9110 §5.5), a request
 * line of more than 4 KiB, headers of more than 8 KiB or too many of them ({@link FewFields}), and for one that {@link RequestClock} ends.
 * Reactor Netty and the clock answer these with an empty 400, 408, 414 or 431 and close the connection; this replaces the empty response.
 */
@ChannelHandler.Sharable
final class UnreadableHead extends ChannelOutboundHandlerAdapter {

    private final EarlyProblems problems;

    UnreadableHead(EarlyProblems problems) {
        this.problems = problems;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        // handlers send a head and a body apart, the server sends its own refusals as one message
        if (message instanceof FullHttpResponse response && !response.content().isReadable()) {
            Problem refusal = refusal(response.status());
            context.write(refusal == null ? message : problems.replace(response, refusal, request(context)), promise);
        } else {
            context.write(message, promise);
        }
    }

    private static @Nullable HttpServerRequest request(ChannelHandlerContext context) {
        return ChannelOperations.get(context.channel()) instanceof HttpServerRequest read ? read : null;
    }

    private static @Nullable Problem refusal(HttpResponseStatus status) {
        return switch (status.code()) {
            case 400 ->
                Problem.of(
                        ProblemCode.MALFORMED_REQUEST,
                        "The request line, a header or the framing of the body is not valid HTTP/1.1");
            case 408 -> Problem.of(ProblemCode.REQUEST_TIMEOUT, "Send the request without pauses");
            case 414 -> Problem.of(ProblemCode.URI_TOO_LONG, "A request line has at most 4096 bytes");
            case 431 ->
                Problem.of(
                        ProblemCode.HEADERS_TOO_LARGE,
                        "The headers have at most 8192 bytes and " + FewFields.MAX + " fields");
            default -> null;
        };
    }
}
