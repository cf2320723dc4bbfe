package dev.ligeiro.desk.money;

import static dev.ligeiro.store.UnmatchedPaymentFields.*;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/** The payments that processors have recorded because no transaction can take them, the oldest first. */
@Component
public class UnmatchedStore {

    private static final int READ_MAX = Slice.ITEMS_MAX + 1;
    private static final long READ_SECONDS_MAX = 5;

    private final MongoCollection<BsonDocument> payments;
    private final Clock clock;

    UnmatchedStore(MongoTemplate mongo, Clock clock) {
        this.payments = mongo.getDb().getCollection(CollectionNames.UNMATCHED_PAYMENTS, BsonDocument.class);
        this.clock = clock;
    }

    /** @param resolved whether operators have decided what becomes of them */
    Slice<UnmatchedPayment> page(boolean resolved, @Nullable PageCursor after) {
        return page(Filters.and(
                Filters.exists(RESOLVED, resolved),
                after == null ? Filters.empty() : WaitingStore.behind(after, AT, ID, after.id())));
    }

    /** Those with this end-to-end id, open ones and resolved ones: at most one of each rail. */
    public Slice<UnmatchedPayment> ofEndToEndId(Collection<String> rails, String endToEndId) {
        return page(Filters.in(
                ID, rails.stream().map(rail -> rail + "/" + endToEndId).toList()));
    }

    /** The open ones that name the transaction. */
    List<UnmatchedPayment> open(UUID transactionId) {
        return page(Filters.and(
                        Filters.eq(TRANSACTION_ID, TransactionCodec.binary(transactionId)),
                        Filters.exists(RESOLVED, false)))
                .items();
    }

    Optional<UnmatchedPayment> find(String id) {
        return Optional.ofNullable(payments.find(Filters.eq(ID, id)).first())
                .map(found -> UnmatchedPayment.of(found, clock.instant()));
    }

    private Slice<UnmatchedPayment> page(Bson which) {
        Instant now = clock.instant();
        Slice<BsonDocument> page = Slice.of(
                payments.find(which)
                        .sort(Indexes.ascending(AT, ID))
                        .limit(READ_MAX)
                        .batchSize(READ_MAX)
                        .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                        .into(new ArrayList<>()),
                last -> new PageCursor(StoredValues.instant(last, AT), StoredValues.text(last, ID)));
        return new Slice<>(
                page.items().stream()
                        .flatMap(DecodeEach.of(
                                CollectionNames.UNMATCHED_PAYMENTS, found -> UnmatchedPayment.of(found, now)))
                        .toList(),
                page.next());
    }
}
