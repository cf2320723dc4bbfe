package dev.ligeiro.gateway.store.merchant;

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
}
