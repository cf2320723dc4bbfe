package dev.ligeiro.gateway.operator.attention;

import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.search.FoundTransaction;
import dev.ligeiro.gateway.operator.search.SearchStore;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Amount;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds what needs an operator's attention, the oldest first, each by an index over its time. A page reads at most 101 documents, and leaves
 * out those that cannot be decoded.
 */
@Component
class AttentionStore {

    private static final int READ_MAX = AdminPage.ITEMS_MAX + 1;

    private final MongoDatabase database;
    private final DecodeEach decode;

    AttentionStore(LongReads reads, DecodeEach decode) {
        this.database = reads.database();
        this.decode = decode;
    }

    /** The transactions whose outcome has been unknown for longer than {@code olderThan}. */
    Mono<AdminPage<UnsettledItem, PageCursor>> unsettled(Instant now, Duration olderThan, @Nullable PageCursor after) {
        Bson old = Filters.lt(UNSETTLED_SINCE, Date.from(now.minus(olderThan)));
        return firstByTime(UNSETTLED_SINCE, old, after, RAIL, RAIL_CALLS)
                .map(found -> transactions(UNSETTLED_SINCE, found, UnsettledItem::of));
    }

    /** The cashouts that wait for a person's approval. */
    Mono<AdminPage<WaitingCashout, PageCursor>> approvals(@Nullable PageCursor after) {
        return firstByTime(APPROVAL_SINCE, Filters.exists(APPROVAL_SINCE), after, RAIL)
                .map(found -> transactions(APPROVAL_SINCE, found, WaitingCashout::of));
    }

    /**
     * The payments that the processor has recorded because no transaction can take them.
     *
     * @param resolved whether operators have decided what becomes of them
     */
    Mono<AdminPage<UnmatchedItem, PageCursor>> unmatched(Instant now, boolean resolved, @Nullable PageCursor after) {
        return unmatched(
                now,
                Filters.and(
                        Filters.exists(UnmatchedPaymentFields.RESOLVED, resolved),
                        behind(after, UnmatchedPaymentFields.AT, text -> text)));
    }

    /** The unmatched payments with this end-to-end id, open ones and resolved ones: at most one of each rail. */
    Mono<AdminPage<UnmatchedItem, PageCursor>> unmatched(Instant now, Collection<String> rails, String endToEndId) {
        List<String> ids = rails.stream().map(rail -> rail + "/" + endToEndId).toList();
        return unmatched(now, Filters.in(UnmatchedPaymentFields.ID, ids));
    }

    private Mono<AdminPage<UnmatchedItem, PageCursor>> unmatched(Instant now, Bson which) {
        return Flux.from(database.getCollection(CollectionNames.UNMATCHED_PAYMENTS, BsonDocument.class)
                        .find(which)
                        .sort(Indexes.ascending(UnmatchedPaymentFields.AT, ID))
                        .limit(READ_MAX)
                        .batchSize(READ_MAX))
                .collectList()
                .map(found -> page(
                        CollectionNames.UNMATCHED_PAYMENTS,
                        found,
                        last -> new PageCursor(
                                instant(last, UnmatchedPaymentFields.AT),
                                last.getString(ID).getValue()),
                        document -> UnmatchedItem.of(document, now)));
    }

    /** The first transactions behind {@code after}, by the partial index over {@code time}. */
    private Mono<List<BsonDocument>> firstByTime(
            String time, Bson which, @Nullable PageCursor after, String... fields) {
        Bson index = Indexes.ascending(time, ID);
        Function<String, Object> id = text -> TransactionCodec.binary(UUID.fromString(text));
        return Flux.from(database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                        .find(Filters.and(which, behind(after, time, id)))
                        .hint(index)
                        .sort(index)
                        .projection(Projections.fields(
                                Projections.include(time), Projections.include(fields), SearchStore.FIELDS))
                        .comment(AllShards.OPERATOR)
                        .limit(READ_MAX)
                        .batchSize(READ_MAX))
                .collectList();
    }

    private <T> AdminPage<T, PageCursor> transactions(
            String time, List<BsonDocument> found, Function<BsonDocument, T> item) {
        return page(
                CollectionNames.TRANSACTIONS,
                found,
                last -> new PageCursor(instant(last, time), uuid(last, ID).toString()),
                item);
    }

    private <T> AdminPage<T, PageCursor> page(
            String collection,
            List<BsonDocument> found,
            Function<BsonDocument, PageCursor> place,
            Function<BsonDocument, T> item) {
        AdminPage<BsonDocument, PageCursor> page = AdminPage.of(found, place);
        List<T> items = page.items().stream()
                .flatMap(document -> Stream.ofNullable(
                        decode.orNull(collection, place.apply(document).id(), () -> item.apply(document))))
                .toList();
        return new AdminPage<>(items, page.next());
    }

    private static Bson behind(@Nullable PageCursor after, String time, Function<String, Object> id) {
        if (after == null) {
            return Filters.empty();
        }
        Date at = Date.from(after.at());
        return Filters.and(
                Filters.gte(time, at), Filters.or(Filters.gt(time, at), Filters.gt(ID, id.apply(after.id()))));
    }

    private static UUID uuid(BsonDocument document, String field) {
        return document.getBinary(field).asUuid(UuidRepresentation.STANDARD);
    }

    private static Instant instant(BsonDocument document, String field) {
        return Instant.ofEpochMilli(document.getDateTime(field).getValue());
    }

    /**
     * A transaction with an unknown outcome.
     *
     * @param since since when the outcome has been unknown
     */
    record UnsettledItem(FoundTransaction transaction, String rail, Instant since, List<UnsettledCall> calls) {

        static UnsettledItem of(BsonDocument document) {
            return new UnsettledItem(
                    FoundTransaction.of(document),
                    document.getString(RAIL).getValue(),
                    instant(document, UNSETTLED_SINCE),
                    document.getArray(RAIL_CALLS).stream()
                            .map(call -> UnsettledCall.of(call.asDocument()))
                            .toList());
        }
    }

    /** A cashout that waits for approval. */
    record WaitingCashout(FoundTransaction transaction, String rail, Instant since) {

        static WaitingCashout of(BsonDocument document) {
            return new WaitingCashout(
                    FoundTransaction.of(document),
                    document.getString(RAIL).getValue(),
                    instant(document, APPROVAL_SINCE));
        }
    }

    /**
     * A rail call without an outcome.
     *
     * @param refundId the refund that the call is for; null for the transaction itself
     * @param dueAt when a processor checks it again
     */
    record UnsettledCall(@Nullable UUID refundId, Instant since, int submissions, int inquiries, Instant dueAt) {

        static UnsettledCall of(BsonDocument document) {
            return new UnsettledCall(
                    document.containsKey(REFUND) ? uuid(document, REFUND) : null,
                    instant(document, SINCE),
                    document.getInt32(SUBMISSIONS).getValue(),
                    document.getInt32(INQUIRIES).getValue(),
                    instant(document, DUE));
        }
    }

    /**
     * Money that a rail reported and no transaction can take, as the response shows it.
     *
     * @param transactionId the transaction that the rail named, which may not exist
     * @param amount null when the rail reported none
     * @param returned what the rail has moved back of it by itself
     * @param resolution the operators' decision about it; null while it is open
     */
    record UnmatchedItem(
            String id,
            String rail,
            String endToEndId,
            UUID transactionId,
            @Nullable String amount,
            String returned,
            String reason,
            Instant at,
            long ageSeconds,
            @Nullable UUID resolution) {

        private static String returned(BsonDocument document) {
            long cents = document.getArray(UnmatchedPaymentFields.RETURNED, new BsonArray()).stream()
                    .mapToLong(one -> one.asDocument()
                            .getInt64(UnmatchedPaymentFields.AMOUNT)
                            .getValue())
                    .sum();
            return new Amount(cents).toString();
        }

        static UnmatchedItem of(BsonDocument document, Instant now) {
            Instant at = instant(document, UnmatchedPaymentFields.AT);
            return new UnmatchedItem(
                    document.getString(UnmatchedPaymentFields.ID).getValue(),
                    document.getString(UnmatchedPaymentFields.RAIL).getValue(),
                    document.getString(UnmatchedPaymentFields.END_TO_END_ID).getValue(),
                    uuid(document, UnmatchedPaymentFields.TRANSACTION_ID),
                    document.containsKey(UnmatchedPaymentFields.AMOUNT)
                            ? new Amount(document.getInt64(UnmatchedPaymentFields.AMOUNT)
                                            .getValue())
                                    .toString()
                            : null,
                    returned(document),
                    document.getString(UnmatchedPaymentFields.REASON).getValue(),
                    at,
                    Duration.between(at, now).toSeconds(),
                    document.containsKey(UnmatchedPaymentFields.RESOLVED)
                            ? uuid(
                                    document.getDocument(UnmatchedPaymentFields.RESOLVED),
                                    UnmatchedPaymentFields.RESOLUTION)
                            : null);
        }
    }

    /**
     * The last item of a page, after which the next one begins, as text {@code <milliseconds>-<id>}. Lists are in the order of the time,
     * then of the id.
     */
    record PageCursor(Instant at, String id) {

        private static final Pattern FORM = Pattern.compile("([0-9]{1,15})-(.+)");

        /** @throws IllegalArgumentException with the expected form as its message */
        static PageCursor parse(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("expected the next_cursor of a page");
            }
            return new PageCursor(Instant.ofEpochMilli(Long.parseLong(matcher.group(1))), matcher.group(2));
        }

        @Override
        public String toString() {
            return at.toEpochMilli() + "-" + id;
        }
    }
}
