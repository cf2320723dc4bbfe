package dev.ligeiro.gateway.store.merchant;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.Stop;
import dev.ligeiro.store.CollectionNames;
import java.util.List;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** What operators have stopped, in MongoDB. */
@Component
public class StopStore {

    private final ReactiveMongoTemplate mongo;

    StopStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    Mono<List<Stop>> all() {
        return mongo.findAll(Stop.class, CollectionNames.STOPS).collectList();
    }

    /** Replaces an earlier stop of the same. */
    public Mono<Void> stop(Stop stop) {
        return mongo.save(stop, CollectionNames.STOPS).then();
    }

    /** Does nothing if it is not stopped. */
    public Mono<Void> resume(String id) {
        return mongo.remove(query(where("_id").is(id)), Stop.class, CollectionNames.STOPS)
                .then();
    }
}
