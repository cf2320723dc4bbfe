package dev.ligeiro.desk.merchant;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Collation;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;

/** Merchants in MongoDB. */
@Component
public class MerchantStore {

    /** How names are compared: without regard to case and accents. The index of the names has it too. */
    private static final Collation NAMES = Collation.of("pt").strength(Collation.ComparisonLevel.primary());

    /** The last one in the order of every collation. */
    private static final char AFTER_ALL_LETTERS = '\uFFFF';

    private final MongoTemplate mongo;

    MerchantStore(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** The next merchant number, starting with 1. A number is never used again. */
    long nextNumber() {
        return Objects.requireNonNull(mongo.findAndModify(
                        query(where("_id").is("merchant")),
                        new Update().inc("value", 1L),
                        FindAndModifyOptions.options().upsert(true).returnNew(true),
                        Document.class,
                        CollectionNames.COUNTERS))
                .getLong("value");
    }

    /** The highest number of a merchant; 0 without one. */
    public long lastNumber() {
        Document counter = mongo.findById("merchant", Document.class, CollectionNames.COUNTERS);
        return counter == null ? 0 : counter.getLong("value");
    }

    void insert(Merchant merchant) {
        mongo.insert(merchant, CollectionNames.MERCHANTS);
    }

    public Optional<Merchant> find(UUID id) {
        return Optional.ofNullable(mongo.findById(id, Merchant.class, CollectionNames.MERCHANTS));
    }

    /** @throws Problem 404 */
    public Merchant get(UUID id) {
        return find(id).orElseThrow(MerchantStore::notFound);
    }

    /** The merchants that exist, by their numbers. */
    public Map<Long, Merchant> byNumber(Collection<Long> numbers) {
        return numbers.isEmpty() ? Map.of() : map(where("number").in(numbers), Merchant::number);
    }

    /** The merchants that exist, by their ids. */
    public Map<UUID, Merchant> byId(Collection<UUID> ids) {
        return ids.isEmpty() ? Map.of() : map(where("_id").in(ids), Merchant::id);
    }

    private <K> Map<K, Merchant> map(Criteria which, Function<Merchant, K> key) {
        return mongo.find(query(which), Merchant.class, CollectionNames.MERCHANTS).stream()
                .collect(Collectors.toMap(key, Function.identity()));
    }

    public NamedMerchant name(Tenant tenant) {
        return namesOfTenants(Set.of(tenant), Function.identity()).apply(tenant);
    }

    public NamedMerchant name(UUID merchantId) {
        return namesOfIds(Set.of(merchantId), Function.identity()).apply(merchantId);
    }

    /**
     * The names of the merchants of a list's items by tenant, by one query; {@link NamedMerchant#NONE} for null, that of an item of no
     * merchant.
     */
    public <T> Function<@Nullable Tenant, NamedMerchant> namesOfTenants(
            Collection<T> items, Function<? super T, ? extends @Nullable Tenant> tenant) {
        Map<Long, Merchant> found = byNumber(items.stream()
                .map(tenant)
                .filter(Objects::nonNull)
                .map(Tenant::merchantNumber)
                .collect(Collectors.toSet()));
        return of -> of == null ? NamedMerchant.NONE : NamedMerchant.of(found.get(of.merchantNumber()), of);
    }

    /** The same by the merchants' ids; {@link NamedMerchant#NONE} for null, that of an item of no merchant. */
    public <T> Function<@Nullable UUID, NamedMerchant> namesOfIds(
            Collection<T> items, Function<? super T, ? extends @Nullable UUID> merchantId) {
        Map<UUID, Merchant> found =
                byId(items.stream().map(merchantId).filter(Objects::nonNull).collect(Collectors.toSet()));
        return id -> id == null ? NamedMerchant.NONE : NamedMerchant.of(found.get(id), id);
    }

    /** The newest first, whose names begin so, in upper or lower case and with or without accents. */
    public List<Merchant> page(@Nullable String nameStart, @Nullable UUID after, int max) {
        Query query = Slice.newestFirst(
                        nameStart == null
                                ? new Criteria()
                                : where("name").gte(nameStart).lt(nameStart + AFTER_ALL_LETTERS),
                        after)
                .limit(max);
        return mongo.find(
                nameStart == null ? query : query.collation(NAMES), Merchant.class, CollectionNames.MERCHANTS);
    }

    /** @throws Problem 404 */
    void update(UUID id, Update update) {
        if (mongo.updateFirst(query(where("_id").is(id)), update, CollectionNames.MERCHANTS)
                        .getMatchedCount()
                == 0) {
            throw notFound();
        }
    }

    private static Problem notFound() {
        return Problem.notFound("There is no such merchant");
    }
}
