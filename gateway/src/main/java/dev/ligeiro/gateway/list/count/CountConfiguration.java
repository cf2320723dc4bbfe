package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.match.CountByKeys;
import dev.ligeiro.gateway.mongo.LongReads;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the counting together, over the connections of long reads. */
@Configuration(proxyBeanMethods = false)
class CountConfiguration {

    /** Less than most clients wait for a response. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(8);

    @Bean
    CountMatches countMatches(CountByKeys keys, LongReads reads, MeterRegistry registry, Clock clock) {
        Stores stores =
                new Stores(new KeptCountStore(reads.database(), clock), new SliceVersionStore(reads.database(), clock));
        return countMatches(keys, stores, registry, clock, WAIT_MAX);
    }

    /** @param waitMax how long a request waits for counts that are not kept */
    static CountMatches countMatches(
            CountByKeys keys, Stores stores, MeterRegistry registry, Clock clock, Duration waitMax) {
        CountMetrics metrics = new CountMetrics(registry);
        CountRange range = new CountRange(stores.kept(), stores.versions(), metrics);
        WaitForCounts waiting = new WaitForCounts(range, new BackgroundCounts(metrics), clock, waitMax);
        return new CountMatches(keys, waiting, new FindRow(range));
    }

    /** The stores of kept counts and of versions. */
    record Stores(KeptCountStore kept, SliceVersionStore versions) {}
}
