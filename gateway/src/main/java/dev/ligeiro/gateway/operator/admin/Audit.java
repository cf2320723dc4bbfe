package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Leaves an audit entry of each request that may change something. The entry is stored before the change and gets its status after it,
 * so there is no change without an entry. A change whose entry cannot be stored is not made.
 */
@Component
class Audit {

    private final AuditStore store;
    private final Clock clock;

    Audit(AuditStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    Mono<ServerResponse> of(AuditEntry.Request request, Operator operator, Supplier<Mono<ServerResponse>> change) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        AuditEntry begun = AuditEntry.begun(UuidV7.at(now.toEpochMilli()), now, operator, request);
        return store.insert(begun)
                .then(Mono.defer(change))
                .flatMap(response -> ended(begun, response.statusCode().value(), location(response))
                        .thenReturn(response))
                .onErrorResume(Problem.class, refusal -> ended(
                                begun, refusal.code().status().value(), null)
                        .then(Mono.error(refusal)));
    }

    /** A failure leaves the outcome unknown: the change has been made, and its response must reach the operator. */
    private Mono<Void> ended(AuditEntry begun, int status, @Nullable String location) {
        return store.replace(begun.ended(status, location)).onErrorComplete();
    }

    private static @Nullable String location(ServerResponse response) {
        return response.headers().getFirst(HttpHeaders.LOCATION);
    }
}
