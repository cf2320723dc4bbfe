package dev.ligeiro.processor.guard;

import dev.ligeiro.support.work.LastKnown;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * What operators have set for cashouts, as this processor knows it. A change holds within {@link #HOLDS_AFTER}: older settings decide nothing.
 * They are read each second, so no cashout costs a read.
 */
@Component
class KnownSettings extends LastKnown<KnownSettings.Known> {

    private static final Logger LOG = LoggerFactory.getLogger(KnownSettings.class);

    /** A cashout that is decided later after a change is decided by the new settings, at every processor. */
    static final Duration HOLDS_AFTER = Duration.ofSeconds(4);

    private static final Duration EVERY = Duration.ofSeconds(1);

    /** A batch that begins with older settings reads them first, so that its decisions mostly come in time. */
    private static final Duration BEGIN_MAX = Duration.ofSeconds(3);

    /**
     * For so long after a change, the guards are read again that were changed up to so long before it: their changes may have become readable
     * later.
     */
    private static final Duration READ_AGAIN = Duration.ofMinutes(1);

    private final GuardStore store;
    private final Clock clock;
    private volatile Instant noticedAt = Instant.EPOCH;
    private volatile GuardSettings latest = GuardSettings.NONE;

    KnownSettings(GuardStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** @param askedNanos the {@link System#nanoTime} before MongoDB was asked */
    record Known(GuardSettings settings, long askedNanos) {

        boolean isOlderThan(Duration age) {
            return System.nanoTime() - askedNanos > age.toNanos();
        }

        /** Then nothing may be decided by them. */
        boolean isOutdated() {
            return isOlderThan(HOLDS_AFTER);
        }
    }

    /** Asks MongoDB only if it has not told the settings lately. */
    Mono<Known> now() {
        return known().flatMap(now -> now.isOlderThan(BEGIN_MAX) ? read() : Mono.just(now));
    }

    @Override
    protected Mono<Known> present() {
        long askedNanos = System.nanoTime();
        GuardSettings before = latest;
        boolean isLately = clock.instant().isBefore(noticedAt.plus(READ_AGAIN));
        Instant from = isLately ? before.changedAt().minus(READ_AGAIN) : before.changedAt();
        return Mono.zip(store.stops(), store.guards(from), before::with)
                .doOnNext(read -> {
                    if (read.changedAt().isAfter(before.changedAt())) {
                        noticedAt = clock.instant();
                    }
                    latest = read;
                })
                .map(read -> new Known(read, askedNanos));
    }

    @Override
    protected Duration pause() {
        return EVERY;
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "guards_unknown")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log(
                        "The stops and guards of cashouts could not be read; they are read again, and no cashout is decided"
                                + " by those from more than 4 s before");
    }
}
