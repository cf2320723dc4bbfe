package dev.ligeiro.support.work;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A value in MongoDB that is read again every so often, so that its users wait for no read. While a read fails, the last known value holds. */
public abstract class LastKnown<T> extends RepeatedWork {

    private static final Duration READ_MAX = Duration.ofSeconds(2);

    /** Null until it was read once. */
    private volatile @Nullable T known;

    protected abstract Mono<T> present();

    /** Asks MongoDB only if it has not told the value since the start. */
    public final Mono<T> known() {
        T now = known;
        return now == null ? read() : Mono.just(now);
    }

    /** The present value, which is the known one from now on. */
    public final Mono<T> read() {
        return Mono.defer(this::present).doOnNext(read -> known = read);
    }

    @Override
    protected final Mono<Void> run() {
        return read().timeout(READ_MAX).then();
    }
}
