package dev.ligeiro.processor.rail.bank;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The OAuth2 token of a bank account. It is renewed when four fifths of its life are over, by one request at a time. */
final class AccessToken {

    private static final int PARTS = 5;
    private static final int PARTS_USED = 4;

    /** How long a token is kept that the bank refuses from the beginning. Otherwise each call would ask for another one. */
    private static final Duration KEPT = Duration.ofSeconds(5);

    private final Mono<Granted> current;
    private final Clock clock;
    private volatile @Nullable Granted latest;
    private volatile @Nullable Granted accepted;
    private volatile @Nullable Granted refused;

    /** @param request asks the bank for a token, at each subscription */
    AccessToken(Mono<Granted> request, Clock clock) {
        this.clock = clock;
        this.current = request.doOnNext(granted -> latest = granted)
                .cacheInvalidateIf(
                        granted -> granted == refused || !clock.instant().isBefore(granted.renewAt()));
    }

    /**
     * A token as the bank has granted it.
     *
     * @param askedAt just before it was asked for
     */
    record Granted(String value, Instant askedAt, Duration life) {

        private static final Duration LIFE_MIN = Duration.ofSeconds(1);
        private static final Duration LIFE_MAX = Duration.ofDays(1);

        /** A life out of bounds becomes 1 s or 1 day. */
        Granted {
            life = Collections.max(List.of(LIFE_MIN, Collections.min(List.of(LIFE_MAX, life))));
        }

        Instant renewAt() {
            return askedAt.plus(life.dividedBy(PARTS).multipliedBy(PARTS_USED));
        }

        /** Hides the token. */
        @Override
        public String toString() {
            return "Granted[" + askedAt + "]";
        }
    }

    /** The token, or the one that is being asked for. The request goes on while a caller waits for it. */
    Mono<Granted> get() {
        return current;
    }

    /** The bank has answered a call with the token. */
    void accept(Granted used) {
        accepted = used;
    }

    /** The bank has refused a call with the token. */
    void refuse(Granted used) {
        boolean isOver =
                accepted == used || !clock.instant().isBefore(used.askedAt().plus(KEPT));
        if (used == latest && isOver) {
            refused = used;
        }
    }

    /** The age of the token in seconds; 0 without one. */
    double ageSeconds() {
        Granted known = latest;
        return known == null || known == refused
                ? 0
                : Duration.between(known.askedAt(), clock.instant()).toSeconds();
    }
}
