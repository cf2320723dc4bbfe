package dev.ligeiro.gateway.republish;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One pass of the sweeper while this gateway holds the lease; nothing while another one holds it. */
@Component
class LeasedPass {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedPass.class);

    private final ProgressStore store;
    private final RepublishUnaccepted republish;
    private final WatchUnaccepted watch;
    private final Duration lease;
    private final Clock clock;
    private final AtomicReference<@Nullable Instant> previousAt = new AtomicReference<>();

    LeasedPass(
            ProgressStore store,
            RepublishUnaccepted republish,
            WatchUnaccepted watch,
            RepublishProperties properties,
            Clock clock) {
        this.store = store;
        this.republish = republish;
        this.watch = watch;
        this.lease = properties.lease();
        this.clock = clock;
    }

    /** Completes when Kafka has acknowledged all copies of the pass. After a failed pass the next one begins where it ended. */
    Mono<Void> run() {
        Instant now = clock.instant();
        return store.take(now, lease)
                .doOnError(unavailable -> watch.standBy())
                .switchIfEmpty(Mono.fromRunnable(watch::standBy))
                .map(progress -> progress.isAhead(now) ? rescan(progress, now) : progress)
                // before the pass, which fails while Kafka is away
                .flatMap(progress ->
                        watch.watch(progress).then(Mono.defer(() -> pass(progress, previousAt.getAndSet(now)))));
    }

    private static Progress rescan(Progress ahead, Instant now) {
        LOG.atWarn()
                .addKeyValue("event.action", "clock_was_ahead")
                .addKeyValue("settled_until", ahead.settledUntil())
                .log(
                        "A gateway whose clock was ahead has looked for unaccepted transactions; the last day is looked through again");
        return ahead.rescan(now);
    }

    /**
     * Scans only transactions created before the previous pass. A mongod process that was paused may execute inserts late that it had
     * received before the pause. It has answered the previous pass since, so all inserts of the time before that pass are stored.
     */
    private Mono<Void> pass(Progress progress, @Nullable Instant previous) {
        return previous == null
                ? Mono.empty()
                : Mono.firstWithSignal(republish.until(previous, progress), untilLeaseIsLost());
    }

    /** Renews the lease while it is subscribed, since a scan can take minutes. Fails when the lease is lost. */
    private Mono<Void> untilLeaseIsLost() {
        return Flux.interval(lease.dividedBy(3))
                .onBackpressureDrop()
                .concatMap(tick -> store.renew(clock.instant(), lease))
                .then(Mono.never());
    }

    Mono<Void> release() {
        return store.release();
    }
}
