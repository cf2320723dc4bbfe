package dev.ligeiro.desk.key;

import static com.mongodb.client.model.Filters.eq;
import static org.springframework.data.mongodb.core.query.Criteria.where;

import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.EndpointChange;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.stereotype.Component;

/** Finds what an API key has done. */
@Component
class KeyUseStore {

    private static final Comparator<KeyUse> NEWEST_FIRST =
            Comparator.comparing((KeyUse use) -> new TransactionId(use.place())).reversed();

    private final MongoTemplate mongo;
    private final TransactionWalkStore transactions;

    KeyUseStore(MongoTemplate mongo, TransactionWalkStore transactions) {
        this.mongo = mongo;
        this.transactions = transactions;
    }

    /** A page can have fewer items than others, or none, and a next page all the same: it ends where one of both lists may lack something. */
    Slice<KeyUse> newest(Tenant tenant, UUID key, @Nullable UUID after) {
        TransactionWalkStore.Page used = transactions.newest(
                tenant,
                eq(TransactionFields.HISTORY + "." + TransactionFields.BY, TransactionCodec.binary(key)),
                after);
        List<EndpointChange> changed = changes(key, after);
        UUID lastChange = changed.size() > Slice.ITEMS_MAX
                ? changed.get(Slice.ITEMS_MAX - 1).id()
                : null;
        UUID end = Stream.of(used.end(), lastChange)
                .flatMap(Stream::ofNullable)
                .max(Comparator.comparing(TransactionId::new))
                .orElse(null);
        List<KeyUse> uses = Stream.concat(
                        used.found().stream().flatMap(transaction -> KeyUse.of(transaction, key).stream()),
                        changed.stream().map(KeyUse::of))
                .filter(use -> end == null || new TransactionId(use.place()).compareTo(new TransactionId(end)) >= 0)
                .sorted(NEWEST_FIRST)
                .toList();
        return new Slice<>(uses, end == null ? null : end.toString());
    }

    private List<EndpointChange> changes(UUID key, @Nullable UUID after) {
        Criteria ofKey = where("key").is(key);
        return mongo.find(
                Query.query(after == null ? ofKey : ofKey.and("_id").lt(after))
                        .with(Sort.by(Sort.Direction.DESC, "_id"))
                        .limit(Slice.ITEMS_MAX + 1),
                EndpointChange.class,
                CollectionNames.ENDPOINT_CHANGES);
    }
}
