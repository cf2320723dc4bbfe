package dev.ligeiro.gateway.http.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.MemoryBudget;
import dev.ligeiro.gateway.http.PassedTime;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Clock;
import java.time.Duration;

/** Counts requests against quotas, one token bucket for each owner and quota. A quota that changes begins with a full bucket. */
final class Buckets {

    private final TimeMeter time;
    private final Cache<Id, Bucket> buckets;

    /** @param window of all quotas: a bucket that is not used for so long is full again and can be forgotten */
    Buckets(Clock clock, Duration window) {
        this.time = new Meter(new PassedTime(clock));
        this.buckets = Caffeine.newBuilder()
                .expireAfterAccess(window)
                .maximumSize(MemoryBudget.rateLimitsMax(Runtime.getRuntime().maxMemory()))
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

    private static final class Meter implements TimeMeter {

        private final PassedTime time;

        private Meter(PassedTime time) {
            this.time = time;
        }

        @Override
        public long currentTimeNanos() {
            return time.sinceStart().toNanos();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }
}
