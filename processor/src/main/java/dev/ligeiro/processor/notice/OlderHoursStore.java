package dev.ligeiro.processor.notice;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.rail.live.BankLists.Span;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * What catch-up knows of the older hours, and of older payments with refunds, two documents for each account. If two processors write it, an
 * hour or a day is read once more.
 */
@Component
class OlderHoursStore {

    private static final String HOURS = "hours";
    private static final String FROM = "from";
    private static final String PAYMENTS = "payments";
    private static final String AT = "at";
    private static final String DAYS = "days";
    private static final String RETURNED = "/returned";

    private final MongoCollection<Document> accounts;
    private final MongoCollection<Document> transactions;

    OlderHoursStore(MongoDatabase database) {
        this.accounts = database.getCollection(CollectionNames.LEASES);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
    }

    Mono<OlderHours> read(String rail) {
        return Mono.from(accounts.find(eq(id(rail))))
                .map(found -> {
                    Map<Instant, OlderHours.Look> looks = new HashMap<>();
                    for (Document hour : found.getList(HOURS, Document.class)) {
                        looks.put(
                                hour.getDate(FROM).toInstant(),
                                new OlderHours.Look(
                                        hour.getLong(PAYMENTS), hour.getDate(AT).toInstant()));
                    }
                    return new OlderHours(looks);
                })
                .defaultIfEmpty(new OlderHours(Map.of()));
    }

    Mono<Void> write(String rail, OlderHours hours) {
        List<Document> looks = hours.looks().entrySet().stream()
                .map(hour -> new Document(FROM, Date.from(hour.getKey()))
                        .append(PAYMENTS, hour.getValue().payments())
                        .append(AT, Date.from(hour.getValue().at())))
                .toList();
        return Mono.from(accounts.replaceOne(
                        eq(id(rail)), new Document(HOURS, looks), new ReplaceOptions().upsert(true)))
                .then();
    }

    /** How far the older payments with refunds are read; empty before the first time. */
    Mono<CheckReturned.Round> round(String rail) {
        return Mono.from(accounts.find(eq(id(rail) + RETURNED)))
                .map(found -> new CheckReturned.Round(found.getDate(FROM).toInstant(), found.getInteger(DAYS)));
    }

    Mono<Void> write(String rail, CheckReturned.Round round) {
        Document document = new Document(FROM, Date.from(round.begunAt())).append(DAYS, round.days());
        return Mono.from(accounts.replaceOne(eq(id(rail) + RETURNED), document, new ReplaceOptions().upsert(true)))
                .then();
    }

    /** Whether a transaction of the rail has had no outcome since that hour. Fails before the gateway has created the index. */
    Mono<Boolean> hasUnsettled(Span hour) {
        return Mono.from(transactions
                        .find(Filters.and(
                                Filters.gte(TransactionFields.UNSETTLED_SINCE, Date.from(hour.from())),
                                Filters.lt(TransactionFields.UNSETTLED_SINCE, Date.from(hour.to())),
                                eq(TransactionFields.RAIL, hour.rail())))
                        .hint(Indexes.ascending(TransactionFields.UNSETTLED_SINCE, TransactionFields.ID))
                        .projection(Projections.include(TransactionFields.ID))
                        .limit(1)
                        .comment(AllShards.SWEEP))
                .hasElement();
    }

    private static String id(String rail) {
        return "catch-up/" + rail;
    }
}
