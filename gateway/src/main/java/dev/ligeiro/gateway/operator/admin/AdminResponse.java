package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.response.JsonResponse;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The responses of the admin API. A record becomes an object with snake_case names, in the order of its components, nulls included. */
public final class AdminResponse {

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    private AdminResponse() {}

    public static Mono<ServerResponse> ok(Object body) {
        return of(HttpStatus.OK, body);
    }

    public static Mono<ServerResponse> of(HttpStatus status, Object body) {
        return JsonResponse.of(status, JSON.writeValueAsBytes(body));
    }

    public static Mono<ServerResponse> created(String path, Object body) {
        return JsonResponse.of(ServerResponse.created(URI.create(path)), JSON.writeValueAsBytes(body));
    }

    /** {@code {"<name>":[…],"next_cursor":…}} */
    public static Mono<ServerResponse> page(String name, AdminPage<?, ?> page) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put(name, page.items());
        body.put("next_cursor", Objects.toString(page.next(), null));
        return ok(body);
    }
}
