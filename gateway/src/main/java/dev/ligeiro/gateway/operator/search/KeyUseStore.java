package dev.ligeiro.gateway.operator.search;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.api.webhook.EndpointChangeStore;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.EndpointChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds what an API key has done. No index has the key, since that would cost each create: the transactions of its tenant are read from the
 * newest backwards, so many at a time, and a page says how far it came.
 */
@Component
class KeyUseStore {

    /** They take mongod about 0.1 s when they are in its cache. */
    private static final int TRANSACTIONS_MAX = 20_000;

    private static final Comparator<KeyUse> NEWEST_FIRST =
            Comparator.comparing((KeyUse use) -> new TransactionId(use.place())).reversed();

    private final MongoCollection<Transaction> transactions;
    private final MongoCollection<BsonDocument> ids;
    private final EndpointChangeStore changes;
    private final int transactionsMax;

    @Autowired
    KeyUseStore(LongReads reads, EndpointChangeStore changes) {
        this(reads, changes, TRANSACTIONS_MAX);
    }

    KeyUseStore(LongReads reads, EndpointChangeStore changes, int transactionsMax) {
        this.transactions = reads.transactions();
        this.ids = reads.database().getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
        this.changes = changes;
        this.transactionsMax = transactionsMax;
    }

    /**
     * Something that a key has done.
     *
     * @param place the id that orders the list: of the transaction, whatever was done to it later, or of the change of an endpoint
     * @param detail the status that followed, or the code of a refusal
     */
    record KeyUse(
            UUID place,
            Instant at,
            String what,
            @Nullable String detail,
            @Nullable UUID transactionId,
            @Nullable UUID endpointId,
            @Nullable UUID session) {}

    /** A page can have fewer items than others, or none, and a next page all the same. Its cursor is the place down to which it is complete. */
    Mono<AdminPage<KeyUse, UUID>> newest(Tenant tenant, UUID key, @Nullable UUID after) {
        Bson below = after == null
                ? eq(TransactionFields.TENANT, tenant.key())
                : and(
                        eq(TransactionFields.TENANT, tenant.key()),
                        lt(TransactionFields.ID, TransactionCodec.binary(after)));
        return lowest(below).map(Optional::of).defaultIfEmpty(Optional.empty()).flatMap(lowest -> Mono.zip(
                        used(below, key, lowest.orElse(null)), changes.ofKey(key, after, AdminPage.ITEMS_MAX + 1))
                .map(found -> page(key, found.getT1(), found.getT2(), lowest.orElse(null))));
    }

    /** The oldest transaction of this page; empty if all that are left fit. */
    private Mono<UUID> lowest(Bson below) {
        return Mono.from(ids.find(below)
                        .hint(Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID))
                        .sort(Sorts.descending(TransactionFields.TENANT, TransactionFields.ID))
                        .projection(Projections.include(TransactionFields.ID))
                        .skip(transactionsMax - 1)
                        .limit(1))
                .map(found -> found.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD));
    }

    private Mono<List<Transaction>> used(Bson below, UUID key, @Nullable UUID lowest) {
        Bson range = lowest == null ? below : and(below, gte(TransactionFields.ID, TransactionCodec.binary(lowest)));
        return Flux.from(transactions
                        .find(and(
                                range,
                                eq(
                                        TransactionFields.HISTORY + "." + TransactionFields.BY,
                                        TransactionCodec.binary(key))))
                        .hint(Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID))
                        .sort(Sorts.descending(TransactionFields.TENANT, TransactionFields.ID))
                        .limit(AdminPage.ITEMS_MAX + 1))
                .collectList();
    }

    /** Down to the highest place below which one of both lists may lack something. */
    private static AdminPage<KeyUse, UUID> page(
            UUID key, List<Transaction> used, List<EndpointChange> changed, @Nullable UUID lowest) {
        List<UUID> ends = new ArrayList<>();
        if (used.size() > AdminPage.ITEMS_MAX) {
            ends.add(used.get(AdminPage.ITEMS_MAX - 1).id().value());
        } else if (lowest != null) {
            ends.add(lowest);
        }
        if (changed.size() > AdminPage.ITEMS_MAX) {
            ends.add(changed.get(AdminPage.ITEMS_MAX - 1).id());
        }
        UUID end = ends.stream().max(Comparator.comparing(TransactionId::new)).orElse(null);
        List<KeyUse> uses = Stream.concat(
                        used.stream().flatMap(transaction -> uses(transaction, key)),
                        changed.stream().map(KeyUseStore::use))
                .filter(use -> end == null || new TransactionId(use.place()).compareTo(new TransactionId(end)) >= 0)
                .sorted(NEWEST_FIRST)
                .toList();
        return new AdminPage<>(uses, end);
    }

    /** Of one transaction, the newest first. */
    private static Stream<KeyUse> uses(Transaction transaction, UUID key) {
        List<KeyUse> uses = new ArrayList<>();
        List<Entry> entries = transaction.history().entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            Entry entry = entries.get(i);
            if (entry.by() != null && entry.by().key().equals(key)) {
                UUID id = transaction.id().value();
                uses.add(new KeyUse(
                        id,
                        entry.at(),
                        i == 0 ? "create" : what(entry),
                        detail(entry),
                        id,
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
            if (changed.status() == Status.CANCELED) {
                return "cancel";
            }
            return ChangeAction.Approval.NOT_APPROVED.equals(changed.reason()) ? "reject" : "approve";
        }
        if (entry instanceof Entry.RefundRequested requested) {
            return requested.source() == Source.SANDBOX ? "sandbox" : "refund";
        }
        return "refused";
    }

    private static @Nullable String detail(Entry entry) {
        if (entry instanceof Entry.ChangeRefused refused) {
            return refused.code();
        }
        return entry instanceof Entry.StatusChanged changed ? changed.status().code() : null;
    }

    private static KeyUse use(EndpointChange change) {
        return new KeyUse(
                change.id(), change.at(), "webhook_" + change.what(), null, null, change.endpoint(), change.session());
    }
}
