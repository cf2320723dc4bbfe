package dev.ligeiro.gateway.api.change;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;

import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A tenant's disputes as processors have stored them. Each query reads entries of an index only. */
@Component
public class DisputeStore {

    private static final Bson NEWEST_FIRST = Sorts.descending(StoredDispute.OPENED_AT, StoredDispute.ID);

    private final MongoCollection<Document> disputes;

    DisputeStore(MongoDatabase database) {
        this.disputes = database.getCollection(CollectionNames.DISPUTES);
    }

    /** A place in the list: after this dispute. */
    record Place(Instant openedAt, UUID id) {

        static Place of(StoredDispute dispute) {
            return new Place(dispute.openedAt(), dispute.id());
        }

        String cursor() {
            return Page.cursor(ByteBuffer.allocate(3 * Long.BYTES)
                    .putLong(openedAt.toEpochMilli())
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits()));
        }

        static Place read(ByteBuffer bytes) {
            return new Place(Instant.ofEpochMilli(bytes.getLong()), new UUID(bytes.getLong(), bytes.getLong()));
        }
    }

    /** Empty if the tenant has no such dispute. */
    Mono<StoredDispute> find(Tenant tenant, UUID id) {
        return Mono.from(disputes.find(and(eq(StoredDispute.ID, id), ofTenant(tenant))))
                .map(StoredDispute::read);
    }

    /**
     * A page, the newest first.
     *
     * @param status null for all
     * @param transaction null for those of all transactions
     * @param after null for the first page
     */
    Mono<Page<StoredDispute>> page(
            Tenant tenant,
            Dispute.@Nullable Status status,
            @Nullable TransactionId transaction,
            @Nullable Place after) {
        List<Bson> which = new ArrayList<>();
        which.add(ofTenant(tenant));
        if (status != null) {
            which.add(eq(StoredDispute.STATUS, status.code()));
        }
        if (transaction != null) {
            which.add(eq(StoredDispute.TRANSACTION_ID, transaction.value()));
        }
        if (after != null) {
            Date at = Date.from(after.openedAt());
            which.add(or(
                    lt(StoredDispute.OPENED_AT, at),
                    and(eq(StoredDispute.OPENED_AT, at), lt(StoredDispute.ID, after.id()))));
        }
        // one more tells whether a page follows
        return Flux.from(disputes.find(and(which)).sort(NEWEST_FIRST).limit(Page.ITEMS_MAX + 1))
                .map(StoredDispute::read)
                .collectList()
                .map(found -> Page.of(found, last -> Place.of(last).cursor()));
    }

    /** The newest ones, the newest first. A payment has more than one only at a bank that takes a second claim. */
    public Mono<List<StoredDispute>> ofTransaction(Tenant tenant, TransactionId transaction) {
        return page(tenant, null, transaction, null).map(Page::items);
    }

    /** Without those whose status the rail has only told in words that are not known. */
    private static Bson ofTenant(Tenant tenant) {
        return and(eq(StoredDispute.TENANT, tenant.key()), exists(StoredDispute.STATUS));
    }
}
