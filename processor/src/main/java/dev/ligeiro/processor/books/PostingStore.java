package dev.ligeiro.processor.books;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Projections.include;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Postings in MongoDB. Their ids follow from those of the events. What a stored posting moves never changes. */
@Component
class PostingStore {

    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);
    private static final int DUPLICATE_KEY = 11_000;

    private final MongoCollection<BsonDocument> postings;

    PostingStore(MongoDatabase database) {
        this.postings = database.getCollection(CollectionNames.POSTINGS, BsonDocument.class);
    }

    /**
     * Stores what is not stored yet. Fails with a {@link TransientFault} if the postings must be written again.
     *
     * @return the new ones, and those that this source has stored before, each with the offset that is stored with it
     */
    Mono<List<SourcedPosting>> insert(List<SourcedPosting> all) {
        if (all.isEmpty()) {
            return Mono.just(List.of());
        }
        List<BsonDocument> documents = all.stream().map(PostingStore::document).toList();
        return Mono.defer(() -> Mono.from(postings.insertMany(documents, UNORDERED)))
                .thenReturn(all)
                .onErrorResume(
                        MongoBulkWriteException.class,
                        failed -> isDuplicatesOnly(failed) ? own(all, failed) : Mono.error(failed))
                .onErrorMap(MongoFaults::classified);
    }

    private static boolean isDuplicatesOnly(MongoBulkWriteException failed) {
        return failed.getWriteConcernError() == null
                && failed.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
    }

    private Mono<List<SourcedPosting>> own(List<SourcedPosting> all, MongoBulkWriteException failed) {
        Set<Integer> duplicates = new HashSet<>();
        failed.getWriteErrors().forEach(error -> duplicates.add(error.getIndex()));
        List<Posting> present =
                duplicates.stream().map(i -> all.get(i).posting()).toList();
        return stored(present).map(stored -> {
            Map<String, SourcedPosting> own = new LinkedHashMap<>();
            for (int i = 0; i < all.size(); i++) {
                SourcedPosting one = all.get(i);
                Optional<SourcedPosting> mine = duplicates.contains(i)
                        ? own(one, stored.get(one.posting().id()))
                        : Optional.of(one);
                mine.ifPresent(found -> own.put(found.posting().id(), found));
            }
            return List.copyOf(own.values());
        });
    }

    private Mono<Map<String, BsonDocument>> stored(List<Posting> present) {
        Set<Long> tenants =
                present.stream().map(posting -> posting.tenant().key()).collect(Collectors.toSet());
        return Flux.from(postings.find(and(
                                in(PostingFields.TENANT, tenants),
                                in(
                                        PostingFields.ID,
                                        present.stream().map(Posting::id).toList())))
                        .projection(include(PostingFields.SOURCE, PostingFields.OFFSET)))
                .collectMap(found -> found.getString(PostingFields.ID).getValue());
    }

    /** Empty if the posting is another source's, or was made of a later record. */
    private static Optional<SourcedPosting> own(SourcedPosting one, @Nullable BsonDocument stored) {
        if (stored == null || !stored.getString(PostingFields.SOURCE).getValue().equals(one.source())) {
            return Optional.empty();
        }
        long offset = stored.getInt64(PostingFields.OFFSET).getValue();
        return offset <= one.offset()
                ? Optional.of(new SourcedPosting(one.posting(), one.source(), offset))
                : Optional.empty();
    }

    private static BsonDocument document(SourcedPosting sourced) {
        Posting posting = sourced.posting();
        BsonDocument document = new BsonDocument(PostingFields.ID, new BsonString(posting.id()))
                .append(PostingFields.TENANT, TransactionCodec.tenant(posting.tenant()))
                .append(PostingFields.AT, new BsonDateTime(posting.at().toEpochMilli()))
                .append(
                        PostingFields.TRANSACTION_ID,
                        TransactionCodec.binary(posting.transactionId().value()))
                .append(PostingFields.TYPE, new BsonString(posting.type().code()))
                .append(PostingFields.RAIL_NAME, new BsonString(posting.rail()));
        if (posting.railId() != null) {
            document.append(PostingFields.RAIL_ID, new BsonString(posting.railId()));
        }
        // the simulator is not reconciled
        if (posting.railId() != null && !posting.rail().equals(RailProperties.SIMULATOR)) {
            document.append(PostingFields.UNRECONCILED, BsonBoolean.TRUE);
        }
        // a commission as high as the amount moves nothing, and is an entry all the same
        if (posting.leg(Account.MERCHANT) != 0 || posting.commission() != 0) {
            document.append(PostingFields.GROSS, new BsonInt64(posting.leg(Account.MERCHANT) - posting.commission()));
        }
        if (posting.commission() != 0) {
            document.append(PostingFields.COMMISSION, new BsonInt64(posting.commission()));
        }
        return document.append(PostingFields.LEGS, legs(posting))
                .append(PostingFields.SOURCE, new BsonString(sourced.source()))
                .append(PostingFields.OFFSET, new BsonInt64(sourced.offset()));
    }

    private static BsonValue legs(Posting posting) {
        BsonDocument legs = new BsonDocument();
        posting.legs().forEach((account, cents) -> legs.append(account.field(), new BsonInt64(cents)));
        return legs;
    }
}
