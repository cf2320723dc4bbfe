package dev.ligeiro.gateway.store;

import dev.ligeiro.merchant.Stop;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.work.LastKnown;
import dev.ligeiro.transaction.Operation;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** What operators have stopped, in MongoDB. A change is noticed within 5 seconds; while MongoDB does not answer, the last known stops hold. */
@Component
public class StopStore extends LastKnown<List<Stop>> {

    private static final Logger LOG = LoggerFactory.getLogger(StopStore.class);

    /** A stop may come just after a read has begun: two reads and a pause are at most 5 s. */
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final ReactiveMongoTemplate mongo;

    StopStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** Whether new live transactions are stopped. */
    public Mono<Boolean> isStopped(String rail, Operation operation) {
        String id = Stop.routeId(rail, operation);
        return known().map(stops -> stops.stream().anyMatch(stop -> stop.id().equals(id)));
    }

    /** Whether the merchant with this number pays nothing out. */
    public Mono<Boolean> isFrozen(long merchantNumber) {
        return known().map(stops -> stops.stream()
                .anyMatch(stop ->
                        stop.isFrozen() && stop.merchantNumber() != null && stop.merchantNumber() == merchantNumber));
    }

    @Override
    protected Mono<List<Stop>> present() {
        return mongo.findAll(Stop.class, CollectionNames.STOPS).collectList();
    }

    @Override
    protected Duration pause() {
        return EVERY;
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "stops_unknown")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The stops of operators could not be read; the last known ones hold, and they are read again");
    }
}
