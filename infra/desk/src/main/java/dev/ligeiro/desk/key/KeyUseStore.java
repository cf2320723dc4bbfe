package dev.ligeiro.desk.key;

import static com.mongodb.client.model.Filters.eq;
import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.desk.http.PageQuery;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
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
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/** Finds what an API key has done. */
@Component
public class KeyUseStore {

    private final MongoTemplate mongo;
    private final TransactionWalkStore transactions;

    KeyUseStore(MongoTemplate mongo, TransactionWalkStore transactions) {
        this.mongo = mongo;
        this.transactions = transactions;
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
    Slice<KeyUse> newest(Tenant tenant, UUID key, @Nullable UUID after) {
        Slice<Transaction> used = transactions.newest(
                tenant,
                eq(TransactionFields.HISTORY + "." + TransactionFields.BY, TransactionCodec.binary(key)),
                after);
        Slice<EndpointChange> changed = Slice.of(
                mongo.find(
                        PageQuery.newestFirst(where("key").is(key), after),
                        EndpointChange.class,
                        CollectionNames.ENDPOINT_CHANGES),
                EndpointChange::id);
        TransactionId end = Stream.of(used.next(), changed.next())
                .flatMap(next -> next == null ? Stream.empty() : TransactionId.parse(next).stream())
                .max(Comparator.naturalOrder())
                .orElse(null);
        List<KeyUse> uses = Stream.concat(
                        used.items().stream().flatMap(transaction -> uses(transaction, key)),
                        changed.items().stream().map(KeyUseStore::use))
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
        return "refused";
    }

    private static @Nullable String detail(Entry entry) {
        if (entry instanceof Entry.ChangeRefused refused) {
            return refused.code();
        }
        return entry instanceof Entry.StatusChanged changed ? changed.status().code() : null;
    }
}
