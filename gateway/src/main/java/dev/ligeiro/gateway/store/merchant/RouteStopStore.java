package dev.ligeiro.gateway.store.merchant;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.transaction.Operation;
import java.util.List;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The stopped routes in MongoDB, one document each. */
@Component
public class RouteStopStore {

    private final ReactiveMongoTemplate mongo;

    RouteStopStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    public Mono<List<RouteStop>> all() {
        return mongo.find(query(where("_id").regex("^" + RouteStop.KIND)), RouteStop.class)
                .collectList();
    }

    /** Replaces an earlier stop of the same rail and operation. */
    public Mono<Void> stop(RouteStop stop) {
        return mongo.save(stop).then();
    }

    /** Does nothing if they are not stopped. */
    public Mono<Void> resume(String rail, Operation operation) {
        return mongo.remove(query(where("_id").is(RouteStop.id(rail, operation))), RouteStop.class)
                .then();
    }
}
