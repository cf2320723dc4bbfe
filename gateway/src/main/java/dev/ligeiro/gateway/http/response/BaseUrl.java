package dev.ligeiro.gateway.http.response;

import dev.ligeiro.gateway.http.GatewayProperties;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The address at which a client reaches this gateway, without a slash at its end: {@code ligeiro.public-url}, whose host no request can
 * change, or the {@code Host} of the request if that is not set.
 */
@Component
public final class BaseUrl {

    private final @Nullable String configured;

    BaseUrl(GatewayProperties properties) {
        this.configured = properties.publicUrl();
    }

    public String of(ServerRequest request) {
        URI uri = request.uri();
        return configured == null ? uri.getScheme() + "://" + uri.getRawAuthority() : configured;
    }
}
