package dev.ligeiro.gateway.http.auth;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Mode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.ReactiveMongoTransactionManager;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** API keys in MongoDB. Requests rarely read them, since callers are cached. */
@Component
public class KeyStore {

    private final ReactiveMongoTemplate mongo;
    private final TransactionalOperator transaction;

    KeyStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
        this.transaction =
                TransactionalOperator.create(new ReactiveMongoTransactionManager(mongo.getMongoDatabaseFactory()));
    }

    public Mono<ApiKey> insert(ApiKey key) {
        return mongo.insert(key, CollectionNames.API_KEYS);
    }

    /** The merchant's key, or empty. */
    public Mono<ApiKey> key(UUID merchantId, UUID keyId) {
        return mongo.findOne(query(ofMerchant(merchantId, keyId)), ApiKey.class, CollectionNames.API_KEYS);
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
        return keys(where("merchantId").is(merchantId).and("mode").is(mode), after, max);
    }

    /**
     * The merchant's keys, the newest first.
     *
     * @param after the id that they come after; null for the first ones
     */
    public Mono<List<ApiKey>> keys(UUID merchantId, @Nullable UUID after, int max) {
        return keys(where("merchantId").is(merchantId), after, max);
    }

    private Mono<List<ApiKey>> keys(Criteria which, @Nullable UUID after, int max) {
        return mongo.find(
                        query(after == null ? which : which.and("_id").lt(after))
                                .with(Sort.by(Sort.Direction.DESC, "_id"))
                                .limit(max),
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .collectList();
    }

    /** The key with this hash, of any merchant, also a revoked one. */
    public Mono<List<ApiKey>> withHash(String hash) {
        return mongo.find(query(where("hash").is(hash)), ApiKey.class, CollectionNames.API_KEYS)
                .collectList();
    }

    /**
     * The keys of all merchants that begin so, the newest first.
     *
     * @param after the id that they come after; null for the first ones
     */
    public Mono<List<ApiKey>> beginningWith(ApiKey.Beginning beginning, @Nullable UUID after, int max) {
        Criteria which = where("start")
                .gte(beginning.start())
                .lt(beginning.start() + Character.MAX_VALUE)
                .and("mode")
                .is(beginning.mode());
        return mongo.find(
                        query(after == null ? which : which.and("_id").lt(after))
                                .with(Sort.by(Sort.Direction.DESC, "_id"))
                                .limit(max),
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .collectList();
    }

    /**
     * Stores the rotation of a key and the key that replaces it, or neither: then the rotated key is revoked, and the result false. An
     * earlier expiry of the rotated key stays.
     */
    public Mono<Boolean> replace(ApiKey rotated, ApiKey next) {
        Update rotation = new Update()
                .min("expiresAt", Objects.requireNonNull(rotated.expiresAt()))
                .set("rotatedAt", rotated.rotatedAt())
                .set("expiresAtBeforeRotation", rotated.expiresAtBeforeRotation());
        Mono<Boolean> both = mongo.updateFirst(
                        query(where("_id").is(rotated.id()).and("revokedAt").isNull()),
                        rotation,
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .map(updated -> updated.getMatchedCount() == 1)
                .flatMap(isUnrevoked -> isUnrevoked
                        ? mongo.insert(next, CollectionNames.API_KEYS).thenReturn(true)
                        : Mono.just(false));
        return transaction.transactional(both);
    }

    /** False when the merchant has no such key. */
    public Mono<Boolean> setNetworks(UUID merchantId, UUID keyId, @Nullable List<String> networks) {
        Update update = new Update();
        return mongo.updateFirst(
                        query(ofMerchant(merchantId, keyId)),
                        networks == null ? update.unset("networks") : update.set("networks", networks),
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .map(updated -> updated.getMatchedCount() == 1);
    }

    /** False when the merchant has no such key. A key that is revoked already keeps its time. */
    public Mono<Boolean> revoke(UUID merchantId, UUID keyId, Instant at) {
        return mongo.updateFirst(
                        query(ofMerchant(merchantId, keyId)),
                        new Update().min("revokedAt", at),
                        ApiKey.class,
                        CollectionNames.API_KEYS)
                .map(updated -> updated.getMatchedCount() == 1);
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

    private static Criteria ofMerchant(UUID merchantId, UUID keyId) {
        return where("_id").is(keyId).and("merchantId").is(merchantId);
    }
}
