package dev.ligeiro.gateway.http.auth;

import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Refuses requests with unknown keys: the first ones of each second at once, further ones after a second. A connection reads no further
 * request meanwhile, so a client that tries random keys costs one look-up a second for each of its connections.
 */
@Component
class UnknownKeys {

    static final int AT_ONCE_MAX = 20;
    static final Duration DELAY = Duration.ofSeconds(1);

    private final Clock clock;
    private final Scheduler timer;
    private long second;
    private int inSecond;

    @Autowired
    UnknownKeys(Clock clock) {
        this(clock, Schedulers.parallel());
    }

    UnknownKeys(Clock clock, Scheduler timer) {
        this.clock = clock;
        this.timer = timer;
    }

    /** Fails with the 401 of a key that does not work. */
    <T> Mono<T> refuse() {
        return Mono.defer(() -> {
            Mono<T> refused = Mono.error(BearerKey::refused);
            return isAtOnce() ? refused : Mono.delay(DELAY, timer).then(refused);
        });
    }

    private synchronized boolean isAtOnce() {
        long now = clock.instant().getEpochSecond();
        inSecond = now == second ? inSecond + 1 : 1;
        second = now;
        return inSecond <= AT_ONCE_MAX;
    }
}
