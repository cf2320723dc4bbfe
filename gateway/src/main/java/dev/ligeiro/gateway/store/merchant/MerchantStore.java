package dev.ligeiro.gateway.store.merchant;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.store.CollectionNames;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Collation;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Merchants and their platforms in MongoDB. Requests rarely read them, since callers are cached. */
@Component
public class MerchantStore {

    /** How names are compared: without regard to case and accents. The index of the names has it too. */
    public static final Collation NAMES = Collation.of("pt").strength(Collation.ComparisonLevel.primary());

    /** The last one in the order of every collation. */
    private static final char AFTER_ALL_LETTERS = '\uFFFF';

    private final ReactiveMongoTemplate mongo;

    MerchantStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** The next merchant number, starting with 1. A number is never used again. */
    public Mono<Long> nextNumber() {
        return mongo.findAndModify(
                        query(where("_id").is("merchant")),
                        new Update().inc("value", 1L),
                        FindAndModifyOptions.options().upsert(true).returnNew(true),
                        Document.class,
                        CollectionNames.COUNTERS)
                .map(counter -> counter.getLong("value"));
    }

    public Mono<Merchant> insert(Merchant merchant) {
        return mongo.insert(merchant, CollectionNames.MERCHANTS);
    }

    public Mono<Merchant> merchant(UUID id) {
        return mongo.findById(id, Merchant.class, CollectionNames.MERCHANTS);
    }

    /**
     * The merchants, the newest first.
     *
     * @param nameStart how their names begin, in upper or lower case and with or without accents; null for any name
     * @param after the id that they come after; null for the first ones
     */
    public Mono<List<Merchant>> merchants(@Nullable String nameStart, @Nullable UUID after, int max) {
        Criteria which = nameStart == null
                ? new Criteria()
                : where("name").gte(nameStart).lt(nameStart + AFTER_ALL_LETTERS);
        Query query = query(after == null ? which : which.and("_id").lt(after))
                .with(Sort.by(Sort.Direction.DESC, "_id"))
                .limit(max);
        return mongo.find(nameStart == null ? query : query.collation(NAMES), Merchant.class, CollectionNames.MERCHANTS)
                .collectList();
    }

    /** False when there is no such merchant. Changes only the fields that are not null. */
    public Mono<Boolean> change(UUID merchantId, @Nullable String name, @Nullable String city) {
        Update update = new Update();
        if (name != null) {
            update.set("name", name);
        }
        if (city != null) {
            update.set("city", city);
        }
        // an update without a change would replace the document
        return name == null && city == null ? merchant(merchantId).hasElement() : update(merchantId, update);
    }

    /** The merchants that exist, by their ids. Without ids, as for a batch of unknown API keys, MongoDB is not asked. */
    public Mono<Map<UUID, Merchant>> all(Collection<UUID> ids) {
        return ids.isEmpty()
                ? Mono.just(Map.of())
                : mongo.find(query(where("_id").in(ids)), Merchant.class, CollectionNames.MERCHANTS)
                        .collectMap(Merchant::id);
    }

    /** The merchants that exist, by their numbers. */
    public Mono<Map<Long, Merchant>> byNumber(Collection<Long> numbers) {
        return numbers.isEmpty()
                ? Mono.just(Map.of())
                : mongo.find(query(where("number").in(numbers)), Merchant.class, CollectionNames.MERCHANTS)
                        .collectMap(Merchant::number);
    }

    /** The highest number of a merchant, 0 without one: all merchants have numbers from 1 up to it. */
    public Mono<Long> lastNumber() {
        return mongo.findById("merchant", Document.class, CollectionNames.COUNTERS)
                .map(counter -> counter.getLong("value"))
                .defaultIfEmpty(0L);
    }

    /** False when there is no such merchant. */
    public Mono<Boolean> addPlatform(UUID merchantId, Merchant.Platform platform) {
        return update(merchantId, new Update().push("platforms", platform));
    }

    /** False when there is no such merchant. */
    public Mono<Boolean> setFees(UUID merchantId, Map<?, Merchant.StoredFee> fees) {
        return update(merchantId, new Update().set("fees", fees));
    }

    /** Whether a refund returns the commission, for transactions that are created from now on. False when there is no such merchant. */
    public Mono<Boolean> setCommissionReturns(UUID merchantId, boolean returns) {
        Update update = new Update();
        return update(merchantId, returns ? update.set("commissionReturns", true) : update.unset("commissionReturns"));
    }

    /** False when there is no such merchant. */
    public Mono<Boolean> setLimits(UUID merchantId, MerchantLimits limits) {
        return update(merchantId, new Update().set("limits", limits));
    }

    /** False when there is no such merchant. */
    public Mono<Boolean> setExpiry(UUID merchantId, @Nullable Duration expiresIn) {
        Update update = new Update();
        return update(
                merchantId,
                expiresIn == null
                        ? update.unset("expiresInSeconds")
                        : update.set("expiresInSeconds", expiresIn.toSeconds()));
    }

    private Mono<Boolean> update(UUID merchantId, Update update) {
        return mongo.updateFirst(query(where("_id").is(merchantId)), update, Merchant.class, CollectionNames.MERCHANTS)
                .map(updated -> updated.getMatchedCount() == 1);
    }
}
