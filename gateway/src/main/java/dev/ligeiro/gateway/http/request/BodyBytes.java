package dev.ligeiro.gateway.http.request;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.limit.SharedAmount;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.time.Duration;
import java.util.Arrays;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * The bytes of a body that have arrived. Each buffer is copied and released at once: a client may send a body in chunks of one byte, and
 * a kept buffer takes more than 100 bytes. All bodies above 4 KiB, which few requests need, take at most a 24th of the heap together.
 * For one thread at a time.
 */
final class BodyBytes implements AutoCloseable {

    /** The most that a body may have. */
    static final int BYTES_MAX = 64 * 1024;

    /** As many may be under way at a time as the largest of them fit into their part of the heap. */
    static final int LARGE_AT_ONCE_MAX = Math.toIntExact(Math.min(
            10_000, GatewayMemoryBudget.largeBodies(Runtime.getRuntime().maxMemory()) / BYTES_MAX));

    /** One sender has at most an eighth of them, so that a merchant with slow or unfinished requests does not take them from all others. */
    static final int LARGE_OF_SENDER_MAX = Math.max(4, LARGE_AT_ONCE_MAX / 8);

    private static final SharedAmount LARGE =
            new SharedAmount(LARGE_AT_ONCE_MAX, LARGE_OF_SENDER_MAX, Duration.ofSeconds(5));

    private static final int SMALL_MAX = 4 * 1024;

    private final Object sender;
    private final int bytesMax;
    private byte[] bytes = {};
    private int size;
    private boolean large;

    /** @param sender {@link Sender#bodyShare} */
    BodyBytes(Object sender, int bytesMax) {
        this.sender = sender;
        this.bytesMax = bytesMax;
    }

    /** The whole body of a request. Fails with a {@link Problem} as {@link #add} does. */
    static Mono<byte[]> read(ServerRequest request, Sender sender, int bytesMax) {
        if (request.headers().contentLength().orElse(0) > bytesMax) {
            // before the first byte is read; a client that expects 100 Continue sends none
            throw tooLarge(bytesMax);
        }
        return Mono.using(() -> new BodyBytes(sender.bodyShare(), bytesMax), bytes -> request.exchange()
                .getRequest()
                .getBody()
                .doOnNext(bytes::add)
                .then(Mono.fromSupplier(bytes::toArray)));
    }

    /**
     * Takes over the buffer.
     *
     * @throws Problem 413 for more than {@code bytesMax} in all; 429 when the sender has too many large bodies under way, 503 when all have
     */
    void add(DataBuffer buffer) {
        try {
            int newSize = size + buffer.readableByteCount();
            if (newSize > bytesMax) {
                throw tooLarge(bytesMax);
            }
            if (newSize > SMALL_MAX && !large) {
                LARGE.take(
                        sender,
                        1,
                        "At most " + LARGE_OF_SENDER_MAX + " of your bodies above 4 KiB may be under way at once",
                        "Too many large bodies are under way");
                large = true;
            }
            if (newSize > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(bytesMax, Math.max(newSize, 2 * bytes.length)));
            }
            buffer.read(bytes, size, newSize - size);
            size = newSize;
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private static Problem tooLarge(int bytesMax) {
        return Problem.of(ProblemCode.BODY_TOO_LARGE, "A body has at most " + bytesMax / 1024 + " KiB");
    }

    byte[] toArray() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    @Override
    public void close() {
        if (large) {
            large = false;
            LARGE.giveBack(sender, 1);
        }
    }
}
