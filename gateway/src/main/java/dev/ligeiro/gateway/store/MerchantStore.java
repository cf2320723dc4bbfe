package dev.ligeiro.gateway.store;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.store.CollectionNames;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Merchants in MongoDB, which the desk writes. Requests rarely read them, since callers are cached. */
@Component
public class MerchantStore {

    private final ReactiveMongoTemplate mongo;

    MerchantStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    public Mono<Merchant> merchant(UUID id) {
        return mongo.findById(id, Merchant.class, CollectionNames.MERCHANTS);
    }

    /** The merchants that exist, by their ids. Without ids, as for a batch of unknown API keys, MongoDB is not asked. */
    public Mono<Map<UUID, Merchant>> all(Collection<UUID> ids) {
        return ids.isEmpty()
                ? Mono.just(Map.of())
                : mongo.find(query(where("_id").in(ids)), Merchant.class, CollectionNames.MERCHANTS)
                        .collectMap(Merchant::id);
    }
}
