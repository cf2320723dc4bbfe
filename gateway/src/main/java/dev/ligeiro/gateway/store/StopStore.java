package dev.ligeiro.gateway.store;

import dev.ligeiro.merchant.Stop;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.transaction.Operation;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** What operators have stopped, in MongoDB. A change is noticed within 5 seconds; while MongoDB does not answer, the last known stops hold. */
@Component
public class StopStore extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(StopStore.class);

    /** A stop may come just after a read has begun: two reads and a pause are at most 5 s. */
    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Duration READ_MAX = Duration.ofSeconds(2);

    private final ReactiveMongoTemplate mongo;
    /** Null until they were read once. */
    private volatile @Nullable List<Stop> known;

    StopStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** Whether new live transactions are stopped. */
    public Mono<Boolean> isStopped(String rail, Operation operation) {
        String id = Stop.routeId(rail, operation);
        return any(stop -> stop.id().equals(id));
    }

    /** Whether the merchant with this number pays nothing out. */
    public Mono<Boolean> isFrozen(long merchantNumber) {
        return any(stop -> stop.isFrozen() && stop.merchantNumber() != null && stop.merchantNumber() == merchantNumber);
    }

    /** Asks MongoDB only if it has not told the stops since the start. */
    private Mono<Boolean> any(Predicate<Stop> which) {
        List<Stop> now = known;
        return (now == null ? read() : Mono.just(now))
                .map(stops -> stops.stream().anyMatch(which));
    }

    /** The present stops, which hold on this gateway from now on. */
    public Mono<List<Stop>> read() {
        return mongo.findAll(Stop.class, CollectionNames.STOPS).collectList().doOnNext(read -> known = read);
    }

    @Override
    protected Duration pause() {
        return EVERY;
    }

    @Override
    protected Mono<Void> run() {
        return read().timeout(READ_MAX).then();
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "stops_unknown")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The stops of operators could not be read; the last known ones hold, and they are read again");
    }
}
