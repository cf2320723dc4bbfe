package dev.ligeiro.desk.money;

import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/**
 * Finds the transactions that wait for the rail or for a person, the longest waiting first, each by an index over its time. A page reads at most
 * 101 documents, and leaves out those that cannot be decoded.
 */
@Component
public class WaitingStore {

    private static final int READ_MAX = Slice.ITEMS_MAX + 1;
    private static final long READ_SECONDS_MAX = 5;

    private final MongoCollection<BsonDocument> transactions;

    WaitingStore(MongoTemplate mongo) {
        this.transactions = mongo.getDb().getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
    }

    /**
     * A transaction that waits.
     *
     * @param since since when the outcome has been unknown, or a person has been asked
     * @param calls those without an outcome
     */
    record Waiting(FoundTransaction transaction, String rail, Instant since, List<Call> calls) {

        static Waiting of(BsonDocument document, String time) {
            return new Waiting(
                    FoundTransaction.of(document),
                    StoredValues.text(document, RAIL),
                    StoredValues.instant(document, time),
                    document.getArray(RAIL_CALLS, new BsonArray()).stream()
                            .map(call -> Call.of(call.asDocument()))
                            .toList());
        }
    }

    /**
     * A rail call without an outcome.
     *
     * @param refundId the refund that the call is for; null for the transaction itself
     * @param dueAt when a processor checks it again
     */
    public record Call(@Nullable UUID refundId, Instant since, int submissions, int inquiries, Instant dueAt) {

        static Call of(BsonDocument document) {
            return new Call(
                    document.containsKey(REFUND) ? StoredValues.uuid(document, REFUND) : null,
                    StoredValues.instant(document, SINCE),
                    document.getInt32(SUBMISSIONS).getValue(),
                    document.getInt32(INQUIRIES).getValue(),
                    StoredValues.instant(document, DUE));
        }
    }

    /** The transactions whose outcome has been unknown for longer than {@code olderThan}. */
    Slice<Waiting> unsettled(Instant now, Duration olderThan, @Nullable PageCursor after) {
        Bson old = Filters.lt(UNSETTLED_SINCE, Date.from(now.minus(olderThan)));
        return first(UNSETTLED_SINCE, old, after);
    }

    /** The cashouts that wait for a person's approval. */
    Slice<Waiting> approvals(@Nullable PageCursor after) {
        return first(APPROVAL_SINCE, Filters.exists(APPROVAL_SINCE), after);
    }

    /** The first transactions behind {@code after}, by the partial index over {@code time}. */
    private Slice<Waiting> first(String time, Bson which, @Nullable PageCursor after) {
        Bson index = Indexes.ascending(time, ID);
        List<BsonDocument> found = transactions
                .find(Filters.and(which, behind(after, time)))
                .hint(index)
                .sort(index)
                .projection(Projections.fields(Projections.include(time, RAIL, RAIL_CALLS), FoundTransaction.FIELDS))
                .comment(AllShards.OPERATOR)
                .limit(READ_MAX)
                .batchSize(READ_MAX)
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                .into(new ArrayList<>());
        Slice<BsonDocument> page = Slice.of(
                found,
                last -> new PageCursor(
                        StoredValues.instant(last, time),
                        StoredValues.uuid(last, ID).toString()));
        return new Slice<>(
                page.items().stream()
                        .flatMap(DecodeEach.of(CollectionNames.TRANSACTIONS, one -> Waiting.of(one, time)))
                        .toList(),
                page.next());
    }

    private static Bson behind(@Nullable PageCursor after, String time) {
        return after == null ? Filters.empty() : behind(after, time, ID, TransactionCodec.binary(after.uuid()));
    }

    /** What comes behind a place in the order of {@code time}, then of {@code id}. */
    static Bson behind(PageCursor after, String time, String id, Object idValue) {
        Date at = Date.from(after.at());
        return Filters.and(Filters.gte(time, at), Filters.or(Filters.gt(time, at), Filters.gt(id, idValue)));
    }
}
