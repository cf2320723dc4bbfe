package dev.ligeiro.processor.guard;

import dev.ligeiro.support.work.RepeatedWork;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * What operators have set for cashouts, as this processor knows it. A change is noticed within 5 seconds, and no cashout costs a read;
 * while MongoDB does not answer, the last known settings hold.
 */
@Component
class KnownSettings extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(KnownSettings.class);

    /** A change may come just after a read has begun: two reads and a pause are at most 5 s. */
    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Duration READ_MAX = Duration.ofSeconds(2);

    /**
     * For so long after a change, the guards are read again that were changed up to so long before it: their changes may have become readable
     * later.
     */
    private static final Duration READ_AGAIN = Duration.ofMinutes(1);

    private final GuardStore store;
    private final Clock clock;
    private volatile Instant noticedAt = Instant.EPOCH;
    /** Null until they were read once. */
    private volatile @Nullable GuardSettings known;

    KnownSettings(GuardStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Asks MongoDB only if it has not told the settings since the start. */
    Mono<GuardSettings> now() {
        GuardSettings now = known;
        return now == null ? read() : Mono.just(now);
    }

    private Mono<GuardSettings> read() {
        GuardSettings before = known == null ? GuardSettings.NONE : known;
        boolean isLately = clock.instant().isBefore(noticedAt.plus(READ_AGAIN));
        Instant from = isLately ? before.changedAt().minus(READ_AGAIN) : before.changedAt();
        return Mono.zip(store.stops(), store.guards(from), before::with).doOnNext(read -> {
            if (read.changedAt().isAfter(before.changedAt())) {
                noticedAt = clock.instant();
            }
            known = read;
        });
    }

    @Override
    protected Duration pause() {
        return EVERY;
    }

    @Override
    protected Mono<Void> run() {
        return Mono.defer(this::read).timeout(READ_MAX).then();
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "guards_unknown")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The stops and guards of cashouts could not be read; the last known ones hold, and they are"
                        + " read again");
    }
}
