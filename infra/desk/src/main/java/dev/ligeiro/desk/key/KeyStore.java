package dev.ligeiro.desk.key;

import static com.mongodb.client.model.Filters.eq;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.mongodb.client.result.UpdateResult;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.EndpointChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** API keys in MongoDB, and what they have done. */
@Component
public class KeyStore {

    private final MongoTemplate mongo;
    private final TransactionTemplate transaction;
    private final TransactionStore transactions;

    KeyStore(MongoTemplate mongo, TransactionStore transactions) {
        this.mongo = mongo;
        this.transactions = transactions;
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
        return mongo.find(Slice.newestFirst(which, after), ApiKey.class, CollectionNames.API_KEYS);
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

    /**
     * Something that a key has done.
     *
     * @param place orders the list: the id of the transaction, whatever was done to it later, or of the change of an endpoint
     * @param what {@code create}, {@code cancel}, {@code refund}, {@code approve}, {@code reject}, {@code sandbox}, {@code refused}, or
     *     {@code webhook_…}
     * @param detail the status that followed, or the code of a refusal
     */
    public record KeyUse(
            @JsonIgnore TransactionId place,
            Instant at,
            String what,
            @Nullable String detail,
            @Nullable UUID transactionId,
            @Nullable UUID endpointId,
            @Nullable UUID session) {}

    /** A page can have fewer items than others, or none, and a next page all the same: it ends where one of both lists may lack something. */
    Slice<KeyUse> uses(Tenant tenant, UUID key, @Nullable UUID after) {
        Slice<Transaction> used = transactions.newest(
                tenant,
                eq(TransactionFields.HISTORY + "." + TransactionFields.BY, TransactionCodec.binary(key)),
                after);
        Slice<EndpointChange> changed = Slice.of(
                mongo.find(
                        Slice.newestFirst(where("key").is(key), after),
                        EndpointChange.class,
                        CollectionNames.ENDPOINT_CHANGES),
                EndpointChange::id);
        TransactionId end = Stream.of(used.next(), changed.next())
                .flatMap(next -> next == null ? Stream.empty() : TransactionId.parse(next).stream())
                .max(Comparator.naturalOrder())
                .orElse(null);
        List<KeyUse> uses = Stream.concat(
                        used.items().stream().flatMap(transaction -> uses(transaction, key)),
                        changed.items().stream().map(KeyStore::use))
                .filter(use -> end == null || use.place().compareTo(end) >= 0)
                .sorted(Comparator.comparing(KeyUse::place).reversed())
                .toList();
        return new Slice<>(uses, end == null ? null : end.toString());
    }

    private static KeyUse use(EndpointChange change) {
        return new KeyUse(
                new TransactionId(change.id()),
                change.at(),
                "webhook_" + change.what(),
                null,
                null,
                change.endpoint(),
                change.session());
    }

    /** What the key has done with one transaction, the newest first. */
    private static Stream<KeyUse> uses(Transaction transaction, UUID key) {
        List<KeyUse> uses = new ArrayList<>();
        for (Entry entry : transaction.history().entries()) {
            if (entry.by() != null && entry.by().key().equals(key)) {
                uses.add(
                        0,
                        new KeyUse(
                                transaction.id(),
                                entry.at(),
                                what(entry),
                                detail(entry),
                                transaction.id().value(),
                                null,
                                entry.by().session()));
            }
        }
        return uses.stream();
    }

    private static String what(Entry entry) {
        if (entry instanceof Entry.StatusChanged changed) {
            if (changed.source() == Source.SANDBOX) {
                return "sandbox";
            }
            return switch (changed.status()) {
                case PENDING -> "create";
                case CANCELED -> "cancel";
                default -> ChangeAction.Approval.NOT_APPROVED.equals(changed.reason()) ? "reject" : "approve";
            };
        }
        if (entry instanceof Entry.RefundRequested requested) {
            return requested.source() == Source.SANDBOX ? "sandbox" : "refund";
        }
        return entry instanceof Entry.DefenseRequested ? "defend" : "refused";
    }

    private static @Nullable String detail(Entry entry) {
        if (entry instanceof Entry.ChangeRefused refused) {
            return refused.code();
        }
        return entry instanceof Entry.StatusChanged changed ? changed.status().code() : null;
    }
}
