package dev.ligeiro.gateway.http.html;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLDecoder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.RequestPath;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Flux;

/**
 * A request of the API by a page of this process. It comes from the client of the page's request, and is part of that request for traces
 * and logs. No client can send one, so the API takes the rights that it carries without asking for a key.
 */
public final class InProcessCall extends ServerHttpRequestDecorator {

    private final ApiRequest request;
    private final Object rights;
    private final URI uri;
    private final RequestPath path;
    private final HttpHeaders headers;
    private final byte[] body;

    /** @param rights what the person who is signed in may do */
    InProcessCall(ServerHttpRequest page, ApiRequest request, Object rights, MediaType accept) {
        super(page);
        this.request = request;
        this.rights = rights;
        this.uri = page.getURI().resolve(request.target());
        this.path = RequestPath.parse(uri, "");
        this.body =
                request.body() == null ? new byte[0] : request.body().toString().getBytes(UTF_8);
        this.headers = headers(page.getHeaders(), accept);
    }

    /** The rights that a page gives to its request; empty for requests from outside. */
    public static <T> Optional<T> rights(ServerRequest request, Class<T> type) {
        return request.exchange().getRequest() instanceof InProcessCall inner && type.isInstance(inner.rights)
                ? Optional.of(type.cast(inner.rights))
                : Optional.empty();
    }

    private HttpHeaders headers(HttpHeaders page, MediaType accept) {
        HttpHeaders own = new HttpHeaders();
        @Nullable String host = page.getFirst(HttpHeaders.HOST);
        if (host != null) {
            own.set(HttpHeaders.HOST, host);
        }
        own.set(HttpHeaders.ACCEPT, accept.toString());
        if (request.body() != null) {
            own.setContentType(MediaType.APPLICATION_JSON);
            own.setContentLength(body.length);
        }
        if (request.idempotencyKey() != null) {
            own.set("Idempotency-Key", request.idempotencyKey());
        }
        return HttpHeaders.readOnlyHttpHeaders(own);
    }

    @Override
    public HttpMethod getMethod() {
        return request.method();
    }

    @Override
    public URI getURI() {
        return uri;
    }

    @Override
    public RequestPath getPath() {
        return path;
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public MultiValueMap<String, String> getQueryParams() {
        MultiValueMap<String, String> decoded = new LinkedMultiValueMap<>();
        UriComponentsBuilder.fromUri(uri)
                .build()
                .getQueryParams()
                .forEach((name, values) ->
                        values.forEach(value -> decoded.add(decoded(name), value == null ? null : decoded(value))));
        return decoded;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, UTF_8);
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return body.length == 0
                ? Flux.empty()
                : Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)));
    }
}
