package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Iterator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Sends problems for requests that are refused before any route is looked for, and counts them:
 *
 * <ul>
 *   <li>Netty cannot parse the request, for example a control character in a header (RFC 9110 §5.5), a request line of more than 4 KiB or
 *       headers of more than 8 KiB, or {@link ConnectionLimits} ends it. The server answers 400, 408, 414 or 431 without content and closes
 *       the connection; as a channel handler this class adds the content.
 *   <li>The head has a fault that the server does not check (RFC 9112 §3.2), or Spring cannot read its target, such as {@code
 *       ?reference=a|b}, or its forwarded headers. Spring would answer an empty 400 before any handler runs.
 * </ul>
 */
@Component
@ChannelHandler.Sharable
class EarlyProblems extends ChannelOutboundHandlerAdapter {

    /** A host name with underscores is allowed, since containers have such names. */
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{0,5})?");

    private final Counter unreadable;
    /** The last valid one: nearly all requests have the same. */
    private volatile @Nullable String knownHost;

    EarlyProblems(MeterRegistry registry) {
        this.unreadable = Counter.builder("ligeiro.http.unreadable")
                .description("Requests refused before any route is looked for, since they are not valid HTTP")
                .baseUnit("requests")
                .register(registry);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        // handlers send a head and a body apart, the server sends its own refusals as one message
        if (message instanceof FullHttpResponse response && !response.content().isReadable()) {
            Problem refusal = refusal(response.status());
            context.write(refusal == null ? message : replace(response, refusal, request(context)), promise);
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
            case 431 -> Problem.of(ProblemCode.HEADERS_TOO_LARGE, "The headers have at most 8192 bytes");
            default -> null;
        };
    }

    /** The other headers of the empty response stay. */
    private FullHttpResponse replace(FullHttpResponse empty, Problem problem, @Nullable HttpServerRequest request) {
        byte[] body = count(problem, request, empty.headers());
        FullHttpResponse response = empty.replace(Unpooled.wrappedBuffer(body));
        empty.release();
        return response;
    }

    /** The body of a problem, whose headers it sets. */
    private byte[] count(Problem problem, @Nullable HttpServerRequest request, HttpHeaders headers) {
        unreadable.increment();
        String requestId = RequestId.validOrNew(
                request == null ? null : request.requestHeaders().get(RequestId.HEADER));
        byte[] body = problem.json(path(request), requestId);
        headers.set(RequestId.HEADER, requestId)
                .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return body;
    }

    /** @param handled the handling of the request, which begins with the subscription */
    Mono<Void> respondIfUnreadable(Mono<Void> handled, Connection connection) {
        if (connection instanceof HttpServerRequest request && connection instanceof HttpServerResponse response) {
            String fault = fault(request);
            return fault == null
                    ? handled.then(Mono.defer(() -> respondIfNoHandlerDid(request, response)))
                    : Mono.defer(() -> respond(request, response, fault));
        }
        return handled;
    }

    /** The detail of the problem for a request whose head is invalid; null for a valid head. */
    private @Nullable String fault(HttpServerRequest request) {
        if (!isAscii(request.uri())) {
            return "The request target is not a valid URI: percent-encode it";
        }
        Iterator<String> hosts = request.requestHeaders().valueStringIterator(HttpHeaderNames.HOST);
        if (!hosts.hasNext()) {
            return request.version().compareTo(HttpVersion.HTTP_1_1) < 0 ? null : "Send one Host header";
        }
        if (!isHost(hosts.next())) {
            return "The Host header is not a host name or an IP address with an optional port";
        }
        return hosts.hasNext() ? "Send one Host header" : null;
    }

    private boolean isHost(String host) {
        if (host.equals(knownHost)) {
            return true;
        }
        boolean valid = HOST.matcher(host).matches();
        if (valid) {
            knownHost = host;
        }
        return valid;
    }

    private static boolean isAscii(String target) {
        return target.chars().allMatch(character -> character > ' ' && character <= '~');
    }

    /** A response without a request id comes from no handler: it is set before any handler runs. */
    private Mono<Void> respondIfNoHandlerDid(HttpServerRequest request, HttpServerResponse response) {
        return response.hasSentHeaders() || response.responseHeaders().contains(RequestId.HEADER)
                ? Mono.empty()
                : respond(request, response, "The request target is not a valid URI: percent-encode it");
    }

    private Mono<Void> respond(HttpServerRequest request, HttpServerResponse response, String detail) {
        Problem problem = Problem.of(ProblemCode.MALFORMED_REQUEST, detail);
        byte[] body = count(problem, request, response.responseHeaders());
        return response.status(problem.code().status().value())
                .sendByteArray(Mono.just(body))
                .then();
    }

    /** Without the query. {@code /bad-request} is Netty's target of a request line that it could not read. */
    private static String path(@Nullable HttpServerRequest request) {
        if (request == null || !request.uri().startsWith("/") || request.uri().equals("/bad-request")) {
            return "/";
        }
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }
}
