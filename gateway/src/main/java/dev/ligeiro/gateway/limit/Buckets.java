package dev.ligeiro.gateway.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Counts requests against quotas, one token bucket for each owner and quota. A quota that changes begins with a full bucket. */
final class Buckets {

    private static final int KEPT_MAX = 100_000;

    private final TimeMeter time;
    private final Cache<Id, Bucket> buckets;

    /** @param window of all quotas: a bucket that is not used for so long is full again and can be forgotten */
    Buckets(Clock clock, Duration window) {
        this.time = new ClockMeter(clock);
        this.buckets = Caffeine.newBuilder()
                .expireAfterAccess(window)
                .maximumSize(KEPT_MAX)
                .build();
    }

    /** Takes one request from the quota if it has one left. */
    ConsumptionProbe take(Object owner, Quota quota) {
        return buckets.get(new Id(owner, quota), this::newBucket).tryConsumeAndReturnRemaining(1);
    }

    private Bucket newBucket(Id id) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(id.quota().requests())
                        .refillGreedy(id.quota().requests(), id.quota().window()))
                .withCustomTimePrecision(time)
                .build();
    }

    private record Id(Object owner, Quota quota) {}

    /** Time that never goes back: when the clock is set back, it goes on from where it was. */
    private static final class ClockMeter implements TimeMeter {

        private final Clock clock;
        private long lastMillis;
        private long elapsedMillis;

        private ClockMeter(Clock clock) {
            this.clock = clock;
            this.lastMillis = clock.millis();
        }

        @Override
        public synchronized long currentTimeNanos() {
            long now = clock.millis();
            elapsedMillis += Math.max(0, now - lastMillis);
            lastMillis = now;
            return TimeUnit.MILLISECONDS.toNanos(elapsedMillis);
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }
}
