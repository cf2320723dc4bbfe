package dev.ligeiro.processor.books;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.not;
import static com.mongodb.client.model.Projections.include;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The balances of the tenants in MongoDB, and those of their days. Each balance gets the sum of a batch by one update, together with the
 * last record of it, and only if it has none of the records: a batch that is written again adds only what is missing.
 */
@Component
class BalanceStore {

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final int DUPLICATE_KEY = 11_000;
    /** Another process that writes the same partition is as quick; without one, the second attempt succeeds. */
    private static final int ATTEMPTS_MAX = 5;

    private final MongoCollection<BsonDocument> balances;

    BalanceStore(MongoDatabase database) {
        this.balances = database.getCollection(CollectionNames.BALANCES, BsonDocument.class);
    }

    /** The postings of one balance that have one source. */
    private record Share(BsonDocument id, boolean isDay, String source, List<SourcedPosting> postings) {

        long first() {
            return postings.stream().mapToLong(SourcedPosting::offset).min().orElseThrow();
        }

        long last() {
            return postings.stream().mapToLong(SourcedPosting::offset).max().orElseThrow();
        }

        Share after(long applied) {
            return new Share(
                    id,
                    isDay,
                    source,
                    postings.stream().filter(one -> one.offset() > applied).toList());
        }
    }

    /** Adds each posting to the balance of its tenant and to that of its day, once. Fails with a {@link TransientFault}. */
    Mono<Void> add(List<SourcedPosting> stored) {
        return add(shares(stored), 1);
    }

    private Mono<Void> add(List<Share> shares, int attempt) {
        if (shares.isEmpty()) {
            return Mono.empty();
        }
        return Mono.defer(() -> Mono.from(balances.bulkWrite(
                        shares.stream().map(BalanceStore::update).toList(), UNORDERED)))
                .then()
                .onErrorResume(MongoBulkWriteException.class, failed -> addAgain(shares, failed, attempt))
                .onErrorMap(MongoFaults::classified);
    }

    /** A balance that has some of the records, or that another process has made at the same time, refuses the upsert. */
    private Mono<Void> addAgain(List<Share> shares, MongoBulkWriteException failed, int attempt) {
        boolean isRefused = failed.getWriteConcernError() == null
                && failed.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
        if (!isRefused) {
            return Mono.error(failed);
        }
        if (attempt == ATTEMPTS_MAX) {
            return Mono.error(new TransientFault("balances: another process writes the same partition", failed));
        }
        List<Share> refused = failed.getWriteErrors().stream()
                .map(error -> shares.get(error.getIndex()))
                .toList();
        return Flux.from(balances.find(in(
                                BalanceFields.ID,
                                refused.stream().map(Share::id).toList()))
                        .projection(include(BalanceFields.APPLIED)))
                .collectMap(found -> found.getDocument(BalanceFields.ID), BalanceStore::applied)
                .flatMap(applied -> add(
                        refused.stream()
                                .map(share -> share.after(applied.getOrDefault(share.id(), Map.of())
                                        .getOrDefault(share.source(), -1L)))
                                .filter(share -> !share.postings().isEmpty())
                                .toList(),
                        attempt + 1));
    }

    private static Map<String, Long> applied(BsonDocument balance) {
        Map<String, Long> applied = new LinkedHashMap<>();
        balance.getDocument(BalanceFields.APPLIED)
                .forEach(
                        (source, offset) -> applied.put(source, offset.asInt64().getValue()));
        return applied;
    }

    private static List<Share> shares(List<SourcedPosting> stored) {
        Map<List<Object>, Share> shares = new LinkedHashMap<>();
        for (SourcedPosting one : stored) {
            Tenant tenant = one.posting().tenant();
            int day = BalanceFields.day(one.posting().at());
            shares.computeIfAbsent(
                            List.of(tenant, one.source()),
                            key -> new Share(BalanceFields.id(tenant), false, one.source(), new ArrayList<>()))
                    .postings()
                    .add(one);
            shares.computeIfAbsent(
                            List.of(tenant, one.source(), day),
                            key -> new Share(BalanceFields.id(tenant, day), true, one.source(), new ArrayList<>()))
                    .postings()
                    .add(one);
        }
        return List.copyOf(shares.values());
    }

    private static UpdateOneModel<BsonDocument> update(Share share) {
        Map<String, Long> sums = new TreeMap<>();
        Instant latest = Instant.EPOCH;
        for (SourcedPosting one : share.postings()) {
            Posting posting = one.posting();
            posting.legs()
                    .forEach((account, cents) -> sums.merge(
                            account == Account.RAIL ? account.field() + "." + posting.rail() : account.field(),
                            cents,
                            Long::sum));
            if (share.isDay() && posting.leg(Account.MERCHANT) != 0) {
                String quarter = BalanceFields.QUARTERS + "." + BalanceFields.quarter(posting.at());
                sums.merge(quarter, posting.leg(Account.MERCHANT), Long::sum);
            }
            if (share.isDay()) {
                addPayment(posting, sums);
            }
            latest = posting.at().isAfter(latest) ? posting.at() : latest;
        }
        BsonDocument added = new BsonDocument();
        sums.forEach((field, cents) -> added.append(field, new BsonInt64(cents)));
        String applied = BalanceFields.APPLIED + "." + share.source();
        BsonDocument update = new BsonDocument("$inc", added)
                .append("$max", new BsonDocument(BalanceFields.AT, new BsonDateTime(latest.toEpochMilli())))
                .append("$set", new BsonDocument(applied, new BsonInt64(share.last())));
        if (share.isDay()) {
            update.append("$setOnInsert", new BsonDocument(BalanceFields.COUNTED, BsonBoolean.TRUE));
        }
        return new UpdateOneModel<>(
                and(eq(BalanceFields.ID, share.id()), not(gte(applied, share.first()))), update, UPSERT);
    }

    /** Counts the posting for the daily figures if a transaction was paid by it. */
    private static void addPayment(Posting posting, Map<String, Long> sums) {
        boolean isCashin = posting.type() == Posting.Type.CASHIN;
        boolean isPaidCashout = posting.type() == Posting.Type.CASHOUT && posting.leg(Account.RAIL) != 0;
        if (!isCashin && !isPaidCashout) {
            return;
        }
        // an operator may have assigned a cashin's money, which is at the rail already
        long amount = isCashin ? posting.leg(Account.MERCHANT) + posting.leg(Account.FEES) : -posting.leg(Account.RAIL);
        int quarter = BalanceFields.quarter(posting.at());
        String paid = BalanceFields.PAID + ".";
        sums.merge(paid + (isCashin ? BalanceFields.CASHINS : BalanceFields.CASHOUTS) + "." + quarter, 1L, Long::sum);
        sums.merge(
                paid + (isCashin ? BalanceFields.CASHIN_CENTS : BalanceFields.CASHOUT_CENTS) + "." + quarter,
                amount,
                Long::sum);
        if (isCashin) {
            int hour = posting.at().atZone(ZoneOffset.UTC).getHour();
            int span = BalanceFields.paySpan(
                    Duration.between(posting.transactionId().createdAt(), posting.at()));
            sums.merge(paid + BalanceFields.PAY_SPANS + "." + hour + "_" + span, 1L, Long::sum);
        }
    }
}
