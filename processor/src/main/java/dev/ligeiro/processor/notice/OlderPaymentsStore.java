package dev.ligeiro.processor.notice;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.notice.OlderHours.Returned;
import dev.ligeiro.processor.rail.bank.BankLists.Span;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * What catch-up knows of the older hours, and of older payments with refunds, two documents for each account. If two processors write it, an
 * hour or a day is read once more.
 */
@Component
class OlderPaymentsStore {

    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);

    private final MongoCollection<OlderHours> hours;
    private final MongoCollection<Returned> returned;
    private final MongoCollection<Document> transactions;

    OlderPaymentsStore(MongoDatabase database) {
        this.hours = database.getCollection(CollectionNames.LEASES, OlderHours.class);
        this.returned = database.getCollection(CollectionNames.LEASES, Returned.class);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
    }

    Mono<OlderHours> hours(String rail) {
        return Mono.from(hours.find(eq(id(rail)))).defaultIfEmpty(new OlderHours(List.of()));
    }

    Mono<Void> write(String rail, OlderHours next) {
        return Mono.from(hours.replaceOne(eq(id(rail)), next, UPSERT)).then();
    }

    /** Empty before the first time. */
    Mono<Returned> returned(String rail) {
        return Mono.from(returned.find(eq(id(rail) + "/returned")));
    }

    Mono<Void> write(String rail, Returned next) {
        return Mono.from(returned.replaceOne(eq(id(rail) + "/returned"), next, UPSERT))
                .then();
    }

    /** Whether a transaction of the rail has had no outcome since that hour. Fails before the gateway has created the index. */
    Mono<Boolean> hasUnsettled(Span hour) {
        return Mono.from(transactions
                        .find(and(
                                gte(TransactionFields.UNSETTLED_SINCE, Date.from(hour.from())),
                                lt(TransactionFields.UNSETTLED_SINCE, Date.from(hour.to())),
                                eq(TransactionFields.RAIL, hour.bank().rail())))
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
