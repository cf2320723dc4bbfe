package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.LongReads;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the counting together, over the connections of long reads. */
@Configuration(proxyBeanMethods = false)
class CountConfiguration {

    /** How long a request waits for counts that are missing: less than most clients wait for a response. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(8);

    @Bean
    CountMatches countMatches(
            CountByKeys keys, LongReads reads, BoundedReads bounds, MeterRegistry registry, Clock clock) {
        KeptDays kept = new KeptDays(
                new KeptCountStore(reads.database(), clock), new SliceVersionStore(reads.database(), clock));
        CountMetrics metrics = new CountMetrics(registry);
        CountDays days = new CountDays(kept, metrics);
        CountRange range = new CountRange(kept, days, metrics);
        WaitForCounts waiting = new WaitForCounts(range, new BackgroundCounts(metrics), bounds, clock, WAIT_MAX);
        return new CountMatches(keys, waiting, new FindRow(days));
    }
}
