package dev.ligeiro.processor.guard;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.nin;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoServerException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.guard.Totals.Decided;
import dev.ligeiro.processor.guard.Totals.End;
import dev.ligeiro.processor.guard.Totals.Reservation;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The totals of guarded tenants in MongoDB, one document each. It is replaced as a whole, and only if nobody has replaced it since it was
 * read: its revision is random, because after a restored backup a number could come again with other totals.
 */
@Component
class TotalsStore {

    /** A cashout is mostly decided within a second of its creation; one that has waited for longer than this is not counted at first. */
    private static final Duration WAITED_MAX = Duration.ofDays(2);

    /** A first count reads all transactions of the tenant since the day before yesterday: about 100,000 a second. */
    private static final Duration FIRST_COUNT_MAX = Duration.ofMinutes(10);

    private static final int IDS_MAX = 1_000;

    private static final List<String> UNDER_WAY = List.of(Status.IN_PROCESS.code(), Status.IN_ANALYSIS.code());
    private static final List<String> COUNTED =
            List.of(Status.IN_PROCESS.code(), Status.IN_ANALYSIS.code(), Status.PAID.code(), Status.REFUND.code());

    private static final String ID = GuardTotalsFields.ID;
    private static final String REVISION = "revision";
    private static final String SINCE = GuardTotalsFields.SINCE;
    private static final String DAY = "day";
    private static final String DAY_CENTS = "dayCents";
    private static final String NIGHT = "night";
    private static final String NIGHT_CENTS = "nightCents";
    private static final String SLOTS = "slots";
    private static final String RESERVED = GuardTotalsFields.RESERVED;
    private static final String AT = "at";
    private static final String COUNT = "count";
    private static final String CENTS = GuardTotalsFields.CENTS;
    private static final String PAID = GuardTotalsFields.PAID;

    private final MongoCollection<Document> totals;
    private final MongoCollection<Document> transactions;

    TotalsStore(MongoDatabase database) {
        this.totals = database.getCollection(CollectionNames.GUARD_TOTALS).withReadConcern(ReadConcern.MAJORITY);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS)
                .withReadConcern(ReadConcern.MAJORITY)
                .withTimeout(FIRST_COUNT_MAX.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** @param revision of the document */
    record Stored(UUID revision, Totals totals) {}

    /** Empty if the tenant's cashouts have never been counted. */
    Mono<Stored> find(Tenant tenant) {
        return Mono.from(totals.find(eq(ID, tenant.key()))).map(TotalsStore::stored);
    }

    private static Stored stored(Document document) {
        return new Stored(document.get(REVISION, UUID.class), read(document));
    }

    /** The new revision; empty if another processor has replaced the document before. */
    Mono<Stored> replace(Tenant tenant, Stored before, Totals after) {
        UUID revision = UUID.randomUUID();
        return Mono.from(totals.replaceOne(
                        and(eq(ID, tenant.key()), eq(REVISION, before.revision)), document(tenant, revision, after)))
                .filter(replaced -> replaced.getMatchedCount() == 1)
                .map(replaced -> new Stored(revision, after));
    }

    /** Stores first totals, unless another processor has stored some for the same or a later guard. */
    Mono<Void> begin(Tenant tenant, Totals first) {
        return Mono.from(totals.replaceOne(
                        and(eq(ID, tenant.key()), lt(SINCE, Date.from(first.since()))),
                        document(tenant, UUID.randomUUID(), first),
                        new ReplaceOptions().upsert(true)))
                .then()
                .onErrorResume(
                        MongoServerException.class,
                        failure -> ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                                ? Mono.empty()
                                : Mono.error(failure));
    }

    /**
     * The tenant's cashouts that were decided at that time or later, and not denied; and all that wait for an approval: it may take days, and
     * the balance does not have them.
     */
    Flux<Decided> decided(Tenant tenant, Instant from) {
        Bson isRecent = and(
                in(TransactionFields.STATUS, COUNTED),
                gte(TransactionFields.ID, UuidV7.lowest(from.minus(WAITED_MAX).toEpochMilli())));
        Set<TransactionId> waiting = new HashSet<>();
        // two queries, each with an index of its own; the waiting ones first, or one that is approved between them
        // would be in neither
        return Flux.concat(
                decided(tenant, exists(TransactionFields.APPROVAL_SINCE), new Document())
                        .doOnNext(each -> waiting.add(each.id())),
                decided(tenant, isRecent, gte(AT, Date.from(from))).filter(each -> !waiting.contains(each.id())));
    }

    private Flux<Decided> decided(Tenant tenant, Bson which, Bson when) {
        Document decidedAt = new Document(
                "$min",
                new Document(
                        "$map", new Document("input", submissions()).append("in", "$$this." + TransactionFields.AT)));
        return Flux.from(transactions.aggregate(List.of(
                        Aggregates.match(and(
                                eq(TransactionFields.TENANT, tenant.key()),
                                eq(TransactionFields.OPERATION, Operation.CASHOUT.code()),
                                which)),
                        Aggregates.project(Projections.fields(
                                Projections.include(
                                        TransactionFields.AMOUNT,
                                        TransactionFields.COMMISSION,
                                        TransactionFields.STATUS),
                                Projections.computed(AT, decidedAt))),
                        Aggregates.match(when))))
                .map(TotalsStore::decided);
    }

    /** Those of {@code underWay} that have ended. */
    Mono<Map<TransactionId, End>> ended(Tenant tenant, Collection<TransactionId> underWay) {
        return Flux.fromIterable(underWay)
                .map(TransactionId::value)
                .buffer(IDS_MAX)
                .concatMap(ids -> transactions
                        .find(and(
                                eq(TransactionFields.TENANT, tenant.key()),
                                in(TransactionFields.ID, ids),
                                nin(TransactionFields.STATUS, UNDER_WAY)))
                        .projection(Projections.include(TransactionFields.STATUS)))
                .collectMap(
                        found -> new TransactionId(found.get(ID, UUID.class)),
                        found -> End.of(Codes.get(Status.class, found.getString(TransactionFields.STATUS))));
    }

    /** The entries of the history by which the cashout went to its rail. */
    private static Document submissions() {
        return new Document(
                "$filter",
                new Document("input", "$" + TransactionFields.HISTORY)
                        .append("cond", new Document("$in", List.of("$$this." + TransactionFields.STATUS, UNDER_WAY))));
    }

    private static Decided decided(Document cashout) {
        String status = cashout.getString(TransactionFields.STATUS);
        return new Decided(
                new TransactionId(cashout.get(ID, UUID.class)),
                cashout.getLong(TransactionFields.AMOUNT),
                cashout.getLong(TransactionFields.COMMISSION),
                cashout.getDate(AT).toInstant(),
                !UNDER_WAY.contains(status));
    }

    private static Document document(Tenant tenant, UUID revision, Totals now) {
        Document document = new Document(ID, tenant.key())
                .append(REVISION, revision)
                .append(SINCE, Date.from(now.since()))
                .append(DAY, now.day().toString())
                .append(DAY_CENTS, now.dayCents())
                .append(NIGHT, now.night().toString())
                .append(NIGHT_CENTS, now.nightCents())
                .append(
                        SLOTS,
                        now.slots().entrySet().stream()
                                .map(slot -> new Document(AT, slot.getKey()).append(COUNT, slot.getValue()))
                                .toList())
                .append(
                        RESERVED,
                        now.reserved().entrySet().stream()
                                .map(each -> document(each.getKey(), each.getValue()))
                                .toList());
        if (now.fundsChecked()) {
            document.append(GuardTotalsFields.FUNDS_CHECKED, true);
        }
        return document;
    }

    private static Document document(TransactionId id, Reservation reservation) {
        Document document = new Document(ID, id.value())
                .append(CENTS, reservation.cents())
                .append(GuardTotalsFields.COMMISSION, reservation.commission())
                .append(AT, Date.from(reservation.at()));
        return reservation.isPaid() ? document.append(PAID, true) : document;
    }

    private static Totals read(Document document) {
        Map<Long, Integer> slots = new TreeMap<>();
        document.getList(SLOTS, Document.class).forEach(slot -> slots.put(slot.getLong(AT), slot.getInteger(COUNT)));
        Map<TransactionId, Reservation> reserved = new HashMap<>();
        document.getList(RESERVED, Document.class)
                .forEach(each -> reserved.put(
                        new TransactionId(each.get(ID, UUID.class)),
                        new Reservation(
                                each.getLong(CENTS),
                                each.getLong(GuardTotalsFields.COMMISSION),
                                each.getDate(AT).toInstant(),
                                each.getBoolean(PAID, false))));
        return new Totals(
                document.getDate(SINCE).toInstant(),
                LocalDate.parse(document.getString(DAY)),
                document.getLong(DAY_CENTS),
                LocalDate.parse(document.getString(NIGHT)),
                document.getLong(NIGHT_CENTS),
                slots,
                document.getBoolean(GuardTotalsFields.FUNDS_CHECKED, false),
                reserved);
    }
}
