package dev.ligeiro.desk.key;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** API keys in MongoDB. */
@Component
public class KeyStore {

    private static final int FOUND_MAX = 101;

    private final MongoTemplate mongo;
    private final TransactionTemplate transaction;

    KeyStore(MongoTemplate mongo) {
        this.mongo = mongo;
        this.transaction = new TransactionTemplate(new MongoTransactionManager(mongo.getMongoDatabaseFactory()));
    }

    void insert(ApiKey key) {
        mongo.insert(key, CollectionNames.API_KEYS);
    }

    public Optional<ApiKey> find(UUID keyId) {
        return Optional.ofNullable(mongo.findById(keyId, ApiKey.class, CollectionNames.API_KEYS));
    }

    Optional<ApiKey> find(UUID merchantId, UUID keyId) {
        return find(keyId).filter(key -> key.merchantId().equals(merchantId));
    }

    /**
     * The merchant's keys, the newest first; so in the method below.
     *
     * @param after the id that they come after; null for the first ones
     */
    List<ApiKey> ofMerchant(UUID merchantId, @Nullable UUID after) {
        return page(where("merchantId").is(merchantId), after);
    }

    /** The key with this hash, of any merchant, also a revoked one. */
    public Optional<ApiKey> withHash(String hash) {
        return Optional.ofNullable(
                mongo.findOne(query(where("hash").is(hash)), ApiKey.class, CollectionNames.API_KEYS));
    }

    /** The keys of all merchants that begin so. */
    public List<ApiKey> beginningWith(ApiKey.Beginning beginning, @Nullable UUID after) {
        return page(
                where("start")
                        .gte(beginning.start())
                        .lt(beginning.start() + Character.MAX_VALUE)
                        .and("mode")
                        .is(beginning.mode()),
                after);
    }

    private List<ApiKey> page(Criteria which, @Nullable UUID after) {
        return mongo.find(
                query(after == null ? which : which.and("_id").lt(after))
                        .with(Sort.by(Sort.Direction.DESC, "_id"))
                        .limit(FOUND_MAX),
                ApiKey.class,
                CollectionNames.API_KEYS);
    }

    /**
     * Stores the rotation of a key and the key that replaces it, or neither: then the rotated key is revoked, and the result false. An
     * earlier expiry of the rotated key stays.
     */
    boolean replace(ApiKey rotated, ApiKey next) {
        Update rotation = new Update()
                .min("expiresAt", Objects.requireNonNull(rotated.expiresAt()))
                .set("rotatedAt", rotated.rotatedAt())
                .set("expiresAtBeforeRotation", rotated.expiresAtBeforeRotation());
        return Boolean.TRUE.equals(transaction.execute(status -> {
            boolean isUnrevoked =
                    update(where("_id").is(rotated.id()).and("revokedAt").isNull(), rotation);
            if (isUnrevoked) {
                insert(next);
            }
            return isUnrevoked;
        }));
    }

    /** False when the merchant has no such key. */
    boolean setNetworks(UUID merchantId, UUID keyId, @Nullable List<String> networks) {
        Update update = new Update();
        return update(
                one(merchantId, keyId), networks == null ? update.unset("networks") : update.set("networks", networks));
    }

    /** False when the merchant has no such key. A key that is revoked already keeps its time. */
    boolean revoke(UUID merchantId, UUID keyId, Instant at) {
        return update(one(merchantId, keyId), new Update().min("revokedAt", at));
    }

    private boolean update(Criteria which, Update update) {
        return mongo.updateFirst(query(which), update, ApiKey.class, CollectionNames.API_KEYS)
                        .getMatchedCount()
                == 1;
    }

    private static Criteria one(UUID merchantId, UUID keyId) {
        return where("_id").is(keyId).and("merchantId").is(merchantId);
    }
}
