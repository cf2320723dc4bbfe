package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.http.PassedTime;
import dev.ligeiro.transaction.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.FluxSink;

/** One stream of statuses to one page. The request that opens it and the looks at all pages use it at the same time. */
final class StatusStream {

    /** The page takes the stream for lost after 75 s. Each event costs the gateway about 20 µs. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
    /** Then the gateway ends the stream. A page that is still open connects again; one whose client has vanished does not. */
    private static final Duration AGE_MAX = Duration.ofMinutes(15);

    private final FluxSink<Told> sink;
    /** Times are those of one {@link PassedTime}. */
    private final Duration openedAt;

    private Status status;
    private Duration toldAt;

    StatusStream(FluxSink<Told> sink, Status status, Duration now) {
        this.sink = sink;
        this.openedAt = now;
        this.status = status;
        this.toldAt = now;
    }

    /** Tells a change, or after a silence the same status again. */
    synchronized void look(@Nullable Status found, Duration now) {
        Status current = found == null ? status : found;
        if (current != status || hasPassed(SILENCE_MAX, toldAt, now)) {
            status = current;
            tell(null);
            toldAt = now;
        }
        if (!CheckoutPage.isLive(current) || hasPassed(AGE_MAX, openedAt, now)) {
            sink.complete();
        }
    }

    /** Tells the latest status, which a look may have found after the request did. */
    synchronized void tell(@Nullable Duration reconnectAfter) {
        sink.next(new Told(status, reconnectAfter));
    }

    synchronized void close() {
        sink.complete();
    }

    private static boolean hasPassed(Duration span, Duration since, Duration now) {
        return now.minus(since).compareTo(span) >= 0;
    }

    /**
     * What an open page is told.
     *
     * @param reconnectAfter how long the page waits after its stream ends before it asks again; null: as it was told before
     */
    record Told(Status status, @Nullable Duration reconnectAfter) {}
}
