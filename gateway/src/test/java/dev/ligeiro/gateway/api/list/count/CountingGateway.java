package dev.ligeiro.gateway.api.list.count;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.api.list.match.TestCountByKeys;
import dev.ligeiro.gateway.http.limit.TestBoundedReads;
import dev.ligeiro.gateway.store.LongReadProperties;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.TestLongReads;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonTimestamp;
import reactor.core.publisher.Mono;

/** The counting of one gateway. It notes how many counts MongoDB carries out for it, and can act at the end of one. */
final class CountingGateway implements AutoCloseable, CommandListener {

    private static final Duration WAIT_MAX = Duration.ofSeconds(20);

    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final AtomicInteger counts = new AtomicInteger();
    final AtomicInteger queries = new AtomicInteger();
    /** Runs after the last key of a count has been read, before the gateway knows its result. */
    volatile Runnable atEndOfCount = () -> {};

    /** After which time of the cluster each count was to read; empty for none. */
    final List<Optional<BsonTimestamp>> countedAfter = new CopyOnWriteArrayList<>();

    private final MongoClient client;
    private final BackgroundCounts background;
    private final CountMatches countMatches;

    CountingGateway(CountedDatabase database, Clock clock, long keysMax, Duration waitMax) {
        this.client = database.newClient(this);
        LongReads reads = TestLongReads.over(client, database.name);
        CountByKeys keys = TestCountByKeys.over(reads, clock, keysMax);
        CachedCountStore cached = new CachedCountStore(reads, clock);
        DayVersionStore versions = new DayVersionStore(reads, clock);
        CountDays days = new CountDays(reads, cached, versions, keys, metrics);
        CountRange range = new CountRange(days, cached, versions, keys, metrics, clock);
        this.background = new BackgroundCounts(metrics);
        this.countMatches = new CountMatches(keys, range, background, TestBoundedReads.withoutRests(), waitMax);
    }

    /** As a request does that waits for missing counts. */
    Counts of(Filter filter, Span span) {
        return result(countMatches.cachedAtOnce(filter, span).switchIfEmpty(countMatches.inBackground(filter, span)));
    }

    /** Counts of other merchants take all places in the background and never end. */
    void fillBackground() {
        for (int i = 0; i < LongReadProperties.BACKGROUND_COUNTS_MAX; i++) {
            Filter filter = new Filter(new Tenant(1_000 + i), List.of());
            background.run(filter, Span.ALL, progress -> Mono.never()).subscribe();
        }
    }

    /** As a request does whose matches may be few. */
    Counts countMatches(Filter filter, Span span) {
        return result(countMatches.atOnce(filter, span));
    }

    long older(Filter filter, Counts counts, TransactionId id) {
        return result(countMatches.older(filter, counts, id));
    }

    private static <T> T result(Mono<T> mono) {
        return mono.blockOptional(WAIT_MAX).orElseThrow();
    }

    /** How many counts ended since the last call. */
    int newCounts() {
        return counts.getAndSet(0);
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        queries.incrementAndGet();
        if (event.getCommandName().equals("count")) {
            countedAfter.add(Optional.ofNullable(
                    event.getCommand().getDocument("readConcern").getTimestamp("afterClusterTime", null)));
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        if (event.getCommandName().equals("count")) {
            counts.incrementAndGet();
            atEndOfCount.run();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
