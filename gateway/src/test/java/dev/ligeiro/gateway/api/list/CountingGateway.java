package dev.ligeiro.gateway.api.list;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import dev.ligeiro.gateway.http.limit.TestBoundedReads;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.TestLongReads;
import dev.ligeiro.transaction.Status;
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
    private final CountMatches countMatches;

    CountingGateway(CountedDatabase database, Clock clock, long keysMax, Duration waitMax) {
        this.client = database.newClient(this);
        LongReads reads = TestLongReads.of(client, database.name);
        CountByKeys keys = TestCountByKeys.over(reads, clock, keysMax);
        CountDays days = new CountDays(reads, new CountStore(reads, clock), keys, clock, metrics);
        this.countMatches = new CountMatches(keys, days, TestBoundedReads.withoutRests(), clock, metrics, waitMax);
    }

    /** As a request does that waits for missing counts. */
    Counts of(Filter filter, Span span) {
        return result(countMatches.cachedAtOnce(filter, span).switchIfEmpty(countMatches.inBackground(filter, span)));
    }

    /** Starts a count in the background, and tells whether it has got a place. It ends with {@code end}. */
    boolean starts(long tenant, Status status, Mono<Counts> end) {
        double before = running();
        Filter filter = new Filter(new Tenant(tenant), List.of(new Filter.OfStatus(status)));
        countMatches.inBackground(filter, Span.ALL, progress -> end).subscribe(counts -> {}, failure -> {});
        return running() > before;
    }

    double running() {
        return metrics.get("ligeiro.gateway.list.counts.running").gauge().value();
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
