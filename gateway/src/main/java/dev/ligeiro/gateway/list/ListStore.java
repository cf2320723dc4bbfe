package dev.ligeiro.gateway.list;

import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Lists a tenant's transactions, newest first. Every query has one index whose order is the list's: there is never a sort in
 * memory. Its cost is the count of what matches, and the documents of one page.
 */
@Component
class ListStore {

    /** A list may count a lot: more time than a single read has. */
    private static final long QUERY_SECONDS_MAX = 10;

    private final MongoCollection<Transaction> transactions;

    ListStore(MongoCollection<Transaction> transactions) {
        this.transactions = transactions.withTimeout(QUERY_SECONDS_MAX, TimeUnit.SECONDS);
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        Bson filter = filter(tenant, query);
        Bson index = index(query);
        return Mono.from(transactions.countDocuments(filter, new CountOptions().hint(index)))
                .flatMap(total -> items(filter, index, query.page(), total)
                        .map(items -> new ListPage(items, query.page(), total)));
    }

    private Mono<List<Transaction>> items(Bson filter, Bson index, int page, long total) {
        long skip = (page - 1L) * ListQuery.PAGE_SIZE;
        if (skip >= total) {
            return Mono.just(List.of());
        }
        return Flux.from(transactions
                        .find(filter)
                        .hint(index)
                        .sort(Sorts.descending(ID))
                        .skip(Math.toIntExact(skip))
                        .limit(ListQuery.PAGE_SIZE)
                        .batchSize(ListQuery.PAGE_SIZE))
                .collectList();
    }

    private static Bson index(ListQuery query) {
        if (query.identifier() != null) {
            return Indexes.ascending(ID);
        }
        if (query.reference() != null) {
            return Indexes.ascending(TENANT, REFERENCE);
        }
        if (!tokens(query).isEmpty() || !query.pixKeys().isEmpty()) {
            return Indexes.ascending(TENANT, SEARCH, ID);
        }
        return query.status() != null ? Indexes.ascending(TENANT, STATUS, ID) : Indexes.ascending(TENANT, ID);
    }

    private static Bson filter(Tenant tenant, ListQuery query) {
        List<Bson> all = new ArrayList<>();
        all.add(Filters.eq(TENANT, tenant.key()));
        if (query.identifier() != null) {
            all.add(Filters.eq(ID, TransactionCodec.binary(query.identifier().value())));
        }
        if (query.reference() != null) {
            all.add(Filters.eq(REFERENCE, query.reference()));
        }
        if (query.status() != null) {
            all.add(Filters.eq(STATUS, query.status().word()));
        }
        tokens(query).forEach(token -> all.add(Filters.eq(SEARCH, token)));
        addExactFields(all, query);
        if (query.from() != null) {
            all.add(Filters.gte(ID, lowestIdAt(query.from())));
        }
        if (query.before() != null) {
            all.add(Filters.lt(ID, lowestIdAt(query.before())));
        }
        return Filters.and(all);
    }

    /** The fields behind the tokens: a token is only a hash. */
    private static void addExactFields(List<Bson> all, ListQuery query) {
        if (query.document() != null) {
            all.add(Filters.eq(PAYER + "." + DOCUMENT, query.document()));
        }
        if (query.phone() != null) {
            all.add(Filters.eq(PAYER + "." + PHONE, query.phone()));
        }
        if (query.platform() != null) {
            all.add(Filters.eq(PLATFORM, TransactionCodec.binary(query.platform())));
        }
        if (!query.pixKeys().isEmpty()) {
            all.add(Filters.in(
                    SEARCH, query.pixKeys().stream().map(SearchTokens::pixKey).toList()));
            all.add(Filters.in(PIX_KEY + "." + VALUE, query.pixKeys()));
        }
    }

    private static List<Long> tokens(ListQuery query) {
        List<Long> tokens = new ArrayList<>();
        if (query.document() != null) {
            tokens.add(SearchTokens.document(query.document()));
        }
        if (query.phone() != null) {
            tokens.add(SearchTokens.phone(query.phone()));
        }
        query.nameWords().forEach(word -> tokens.add(SearchTokens.nameWord(word)));
        if (query.platform() != null) {
            tokens.add(SearchTokens.platform(query.platform()));
        }
        return tokens;
    }

    private static BsonBinary lowestIdAt(Instant at) {
        return TransactionCodec.binary(UuidV7.lowest(at.toEpochMilli()));
    }
}
