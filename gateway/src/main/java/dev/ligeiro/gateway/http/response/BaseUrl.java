package dev.ligeiro.gateway.http.response;

import dev.ligeiro.gateway.http.GatewayProperties;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The address at which a client reaches this gateway, without a slash at its end: {@code ligeiro.public-url}, whose host no request can
 * change. Only if it is not set, the {@code Host} of the request, and localhost if that is not a host name or an IP address with an
 * optional port.
 */
@Component
public final class BaseUrl {

    private static final Pattern HOST_AND_PORT =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?");

    private final @Nullable String configured;
    private final String own;

    BaseUrl(GatewayProperties properties, @Value("${server.port:8080}") int port) {
        this.configured = properties.publicUrl();
        this.own = "http://localhost:" + port;
    }

    public String of(ServerRequest request) {
        return configured == null ? of(request.uri()) : configured;
    }

    private String of(URI uri) {
        String authority = uri.getRawAuthority();
        return authority != null && HOST_AND_PORT.matcher(authority).matches()
                ? uri.getScheme() + "://" + authority
                : own;
    }
}
