package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends pages, and bounds the bytes of those that their clients have not read yet, of each tenant and in all. Netty holds them
 * outside of the heap, in memory as large as the heap: clients that ask for pages and read none of them would fill it, and no other response
 * could be written.
 */
@Component
public final class UnsentPages {

    /** A system's buffers take smaller pages at once. */
    private static final int SMALL_BYTES_MAX = 64 * 1024;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final SharedAmount unsent;

    @Autowired
    UnsentPages() {
        this(GatewayMemoryBudget.unsentPages(Runtime.getRuntime().maxMemory()));
    }

    UnsentPages(long bytesMax) {
        this.unsent = new SharedAmount(bytesMax, bytesMax / 4, RETRY_AFTER);
    }

    /** A response with the status 200, or with 429 or 503 when too many bytes are unsent. */
    public Mono<ServerResponse> send(Tenant tenant, byte[] json) {
        return send(tenant, JsonResponse.json(ServerResponse.ok(), json.length), json);
    }

    /** @param response with its status and headers; it is 429 or 503 instead when too many bytes are unsent */
    public Mono<ServerResponse> send(Tenant tenant, ServerResponse.BodyBuilder response, byte[] bytes) {
        if (bytes.length <= SMALL_BYTES_MAX) {
            return response.bodyValue(bytes);
        }
        long length = bytes.length;
        // emptied by the writing: the response lives until it is sent, and would keep the bytes in the heap too
        AtomicReference<byte @Nullable []> body = new AtomicReference<>(bytes);
        return response.build((exchange, context) -> Mono.using(
                () -> take(tenant, length),
                taken -> write(exchange.getResponse(), body),
                taken -> unsent.giveBack(tenant, taken)));
    }

    /** Writes a Flux: of a Mono, the server signals completion before the bytes are sent. */
    private static Mono<Void> write(ServerHttpResponse response, AtomicReference<byte @Nullable []> body) {
        return response.writeWith(Flux.defer(
                () -> Flux.just(response.bufferFactory().wrap(Objects.requireNonNull(body.getAndSet(null))))));
    }

    private long take(Tenant tenant, long bytes) {
        unsent.take(
                tenant,
                bytes,
                "Read the pages that you have asked for before you ask for more",
                "Too many pages have not been read by their clients");
        return bytes;
    }

    /** In bytes. */
    long unsent() {
        return unsent.takenInAll();
    }
}
