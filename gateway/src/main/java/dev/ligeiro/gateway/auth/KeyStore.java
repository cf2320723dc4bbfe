package dev.ligeiro.gateway.auth;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import java.util.UUID;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** API keys in MongoDB. Requests rarely read them, since callers are cached. */
@Component
public class KeyStore {

    private final ReactiveMongoTemplate mongo;

    KeyStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    public Mono<ApiKey> insert(ApiKey key) {
        return mongo.insert(key);
    }

    Mono<ApiKey> keyByHash(String hash) {
        return mongo.findOne(query(where("hash").is(hash)), ApiKey.class);
    }

    /** False when the merchant has no such key. */
    public Mono<Boolean> removeKey(UUID merchantId, UUID keyId) {
        return mongo.remove(query(where("_id").is(keyId).and("merchantId").is(merchantId)), ApiKey.class)
                .map(removed -> removed.getDeletedCount() == 1);
    }
}
