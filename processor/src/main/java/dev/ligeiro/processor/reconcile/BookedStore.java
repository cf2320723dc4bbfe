package dev.ligeiro.processor.reconcile;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.reconcile.Compared.Booked;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The postings that a rail's list can have. All queries fail before the gateway has created their indexes. */
@Component
class BookedStore {

    private static final String CENTS = PostingFields.LEGS + "." + BalanceFields.RAIL;
    private static final Bson FIELDS = include(
            PostingFields.TENANT,
            PostingFields.AT,
            PostingFields.TRANSACTION_ID,
            PostingFields.RAIL_ID,
            PostingFields.LISTED_IN,
            PostingFields.UNRECONCILED,
            CENTS);

    private final MongoCollection<BsonDocument> postings;

    BookedStore(MongoDatabase database) {
        this.postings = database.getCollection(CollectionNames.POSTINGS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /** Those under any of the rail's ids, by one query. */
    Mono<List<Booked>> find(String rail, Collection<String> railIds) {
        return railIds.isEmpty()
                ? Mono.just(List.of())
                : Flux.from(postings.find(and(eq(PostingFields.RAIL_NAME, rail), in(PostingFields.RAIL_ID, railIds)))
                                .hintString(PostingFields.RAIL_ID_INDEX)
                                .projection(FIELDS)
                                .batchSize(railIds.size() + 1)
                                .comment(AllShards.SWEEP))
                        .map(BookedStore::booked)
                        .collectList();
    }

    /** Up to {@code max} that are not reconciled, the oldest first. */
    Mono<List<Booked>> unreconciled(String rail, Instant from, Instant before, int max) {
        return Flux.from(postings.find(and(
                                eq(PostingFields.RAIL_NAME, rail),
                                gte(PostingFields.AT, from),
                                lt(PostingFields.AT, before),
                                exists(PostingFields.UNRECONCILED)))
                        .hintString(PostingFields.UNRECONCILED_INDEX)
                        .sort(Sorts.ascending(PostingFields.RAIL_NAME, PostingFields.AT))
                        .projection(FIELDS)
                        .limit(max)
                        .comment(AllShards.SWEEP))
                .map(BookedStore::booked)
                .collectList();
    }

    /**
     * Marks postings as reconciled.
     *
     * @param hour of the rail's list that has them; null if they are part of a break
     */
    Mono<Void> reconciled(List<Booked> found, @Nullable Instant hour) {
        if (found.isEmpty()) {
            return Mono.empty();
        }
        Bson unmarked = unset(PostingFields.UNRECONCILED);
        Set<Long> tenants = found.stream().map(one -> one.tenant().key()).collect(Collectors.toSet());
        return Mono.from(postings.updateMany(
                        and(
                                in(PostingFields.TENANT, tenants),
                                in(
                                        PostingFields.ID,
                                        found.stream().map(Booked::id).toList())),
                        hour == null ? unmarked : combine(unmarked, set(PostingFields.LISTED_IN, Date.from(hour))),
                        new UpdateOptions().hint(Indexes.ascending(PostingFields.ID))))
                .then();
    }

    private static Booked booked(BsonDocument posting) {
        return new Booked(
                StoredValues.text(posting, PostingFields.ID),
                new Tenant(posting.getInt64(PostingFields.TENANT).getValue()),
                new TransactionId(StoredValues.uuid(posting, PostingFields.TRANSACTION_ID)),
                StoredValues.text(posting, PostingFields.RAIL_ID),
                posting.getDocument(PostingFields.LEGS)
                        .getInt64(BalanceFields.RAIL)
                        .getValue(),
                StoredValues.instant(posting, PostingFields.AT),
                StoredValues.optionalInstant(posting, PostingFields.LISTED_IN),
                !posting.containsKey(PostingFields.UNRECONCILED));
    }
}
