package dev.ligeiro.gateway.api.list.count;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonInt32;
import reactor.core.publisher.Mono;

/** The counting of one gateway. It notes how many counts MongoDB carries out for it, and can act at the end of one. */
final class CountingGateway implements AutoCloseable, CommandListener {

    private static final Duration WAIT_MAX = Duration.ofSeconds(20);

    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final AtomicInteger counts = new AtomicInteger();
    final AtomicInteger queries = new AtomicInteger();
    /** Runs after the last key of a count has been read, before the gateway knows its result. */
    volatile Runnable atEndOfCount = () -> {};

    /** A new number looks like an election to the gateway. */
    final AtomicInteger election = new AtomicInteger();

    private final long keysMax;
    private final MongoClient client;
    private final CountByKeys keys;
    private final BackgroundCounts background;
    private final WaitForCounts waiting;
    private final FindRow rows;
    private final CountMatches countMatches;

    CountingGateway(CountedDatabase database, Clock clock, long keysMax, Duration waitMax) {
        this.keysMax = keysMax;
        this.client = database.newClient(this);
        LongReads reads = TestLongReads.over(client, database.name);
        this.keys = TestCountByKeys.over(reads);
        CountMetrics counted = new CountMetrics(metrics);
        KeptDays kept =
                new KeptDays(keptCounts(reads.database(), clock), new SliceVersionStore(reads.database(), clock));
        CountDays days = new CountDays(kept, counted);
        CountRange range = new CountRange(kept, days, counted);
        this.background = new BackgroundCounts(counted);
        this.waiting = new WaitForCounts(range, background, TestBoundedReads.withoutRests(), clock, waitMax);
        this.rows = new FindRow(days);
        this.countMatches = new CountMatches(keys, waiting, rows);
    }

    private KeptCountStore keptCounts(MongoDatabase database, Clock clock) {
        return new KeptCountStore(database, clock) {
            @Override
            Mono<Primary> primary() {
                return super.primary()
                        .map(primary -> new Primary(new BsonInt32(election.get()), primary.majorityWriteAt()));
            }
        };
    }

    /** As a request does that waits for missing counts. */
    Counts of(Filter filter, Span span) {
        CountQueries queries = queries(filter);
        return result(waiting.atOnce(queries, span).switchIfEmpty(waiting.inBackground(queries, span)));
    }

    /** Counts of other merchants take all places in the background and never end. */
    void fillBackground() {
        for (int i = 0; i < LongReadProperties.BACKGROUND_COUNTS_MAX; i++) {
            Filter filter = new Filter(new Tenant(1_000 + i), List.of());
            background.run(filter, Span.ALL, progress -> Mono.never()).subscribe();
        }
    }

    /** As a request does, with the limits of a gateway. */
    Counts countMatches(Filter filter, Span span) {
        return result(countMatches.atOnce(filter, span));
    }

    Optional<Place> find(Filter filter, Span span, Counts counts, long row) {
        return rows.find(queries(filter), span, counts, row).blockOptional(WAIT_MAX);
    }

    long older(Filter filter, Counts counts, TransactionId id) {
        return result(rows.older(queries(filter), counts, id));
    }

    private CountQueries queries(Filter filter) {
        return new CountQueries(filter, keys, keysMax);
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
