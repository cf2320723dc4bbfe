package dev.ligeiro.gateway.http.auth;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Mode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** API keys in MongoDB. Requests rarely read them, since callers are cached. */
@Component
public class KeyStore {

    private final ReactiveMongoTemplate mongo;

    KeyStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** The key of any merchant, or empty. */
    public Mono<ApiKey> key(UUID keyId) {
        return mongo.findById(keyId, ApiKey.class, CollectionNames.API_KEYS);
    }

    /**
     * The merchant's keys of one mode, the newest first.
     *
     * @param after the id that they come after; null for the first ones
     */
    public Mono<List<ApiKey>> keys(UUID merchantId, Mode mode, @Nullable UUID after, int max) {
        Criteria which = where("merchantId").is(merchantId).and("mode").is(mode);
        return mongo.find(
                        query(after == null ? which : which.and("_id").lt(after))
                                .with(Sort.by(Sort.Direction.DESC, "_id"))
                                .limit(max),
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .collectList();
    }

    Mono<List<ApiKey>> unrevoked(Collection<String> hashes) {
        return mongo.find(
                        query(where("hash").in(hashes).and("revokedAt").isNull()),
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .collectList();
    }

    /** Leaves keys alone whose time of the last use is not before {@code old}: another gateway has written it. */
    Mono<Void> setLastUse(Collection<UUID> keyIds, Instant now, Instant old) {
        Criteria due = new Criteria()
                .orOperator(where("lastUsedAt").isNull(), where("lastUsedAt").lt(old));
        return mongo.updateMulti(
                        query(where("_id").in(keyIds).andOperator(due)),
                        new Update().set("lastUsedAt", now),
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .then();
    }
}
