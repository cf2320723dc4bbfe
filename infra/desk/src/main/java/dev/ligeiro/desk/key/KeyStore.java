package dev.ligeiro.desk.key;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.mongodb.client.result.UpdateResult;
import dev.ligeiro.desk.http.PageQuery;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.problem.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** API keys in MongoDB. */
@Component
public class KeyStore {

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

    /** @throws Problem 404 */
    ApiKey get(UUID keyId) {
        return find(keyId).orElseThrow(KeyStore::notFound);
    }

    /** @throws Problem 404 if the merchant has no such key */
    ApiKey get(UUID merchantId, UUID keyId) {
        ApiKey key = get(keyId);
        if (!key.merchantId().equals(merchantId)) {
            throw notFound();
        }
        return key;
    }

    private static Problem notFound() {
        return Problem.notFound("There is no such merchant, platform or key");
    }

    /** The merchant's keys, the newest first; so in the method below. */
    List<ApiKey> ofMerchant(UUID merchantId, @Nullable UUID after) {
        return page(where("merchantId").is(merchantId), after);
    }

    /** The keys of all merchants that begin so. */
    public List<ApiKey> beginningWith(ApiKey.Beginning beginning, @Nullable UUID after) {
        Criteria which = where("start").gte(beginning.start()).lt(beginning.start() + Character.MAX_VALUE);
        return page(which.and("mode").is(beginning.mode()), after);
    }

    /** The key with this hash, of any merchant, also a revoked one. */
    public Optional<ApiKey> withHash(String hash) {
        return page(where("hash").is(hash), null).stream().findFirst();
    }

    private List<ApiKey> page(Criteria which, @Nullable UUID after) {
        return mongo.find(PageQuery.newestFirst(which, after), ApiKey.class, CollectionNames.API_KEYS);
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
            Criteria unrevoked = where("_id").is(rotated.id()).and("revokedAt").isNull();
            UpdateResult changed =
                    mongo.updateFirst(query(unrevoked), rotation, ApiKey.class, CollectionNames.API_KEYS);
            if (changed.getMatchedCount() == 0) {
                return false;
            }
            insert(next);
            return true;
        }));
    }

    /** False if the key's networks are no longer those of {@code key}. */
    boolean setNetworks(ApiKey key, @Nullable List<String> networks) {
        Update update = new Update();
        return mongo.updateFirst(
                                query(where("_id").is(key.id()).and("networks").is(key.networks())),
                                networks == null ? update.unset("networks") : update.set("networks", networks),
                                ApiKey.class,
                                CollectionNames.API_KEYS)
                        .getMatchedCount()
                == 1;
    }

    /** A key that is revoked already keeps its time. */
    void revoke(UUID keyId, Instant at) {
        update(keyId, new Update().min("revokedAt", at));
    }

    private void update(UUID keyId, Update update) {
        mongo.updateFirst(query(where("_id").is(keyId)), update, ApiKey.class, CollectionNames.API_KEYS);
    }
}
