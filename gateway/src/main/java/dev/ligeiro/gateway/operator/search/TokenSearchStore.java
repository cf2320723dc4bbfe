package dev.ligeiro.gateway.operator.search;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.api.list.match.TokenDays;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the transactions of many tenants that have a search token. Each tenant and day is another range of the index, 3 to 5 µs in mongod. So
 * the days are searched from today backwards, and a search ends after some queries and says how far it came.
 */
@Component
class TokenSearchStore {

    private static final int READ_MAX = AdminPage.ITEMS_MAX + 1;

    /** With all their ranges they take mongod 0.2 s. */
    private static final int QUERIES_MAX = 250;

    private static final int CONCURRENCY = 2;

    private final MongoCollection<BsonDocument> transactions;
    private final Supplier<TokenDays> tokenDays;
    private final int queriesMax;

    @Autowired
    TokenSearchStore(LongReads reads, CollectionSetup setup, Clock clock) {
        this(reads, () -> TokenDays.now(setup, clock), QUERIES_MAX);
    }

    TokenSearchStore(LongReads reads, Supplier<TokenDays> tokenDays, int queriesMax) {
        this.transactions = reads.database().getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
        this.tokenDays = tokenDays;
        this.queriesMax = queriesMax;
    }

    /**
     * A page of ids, the newest first. It can have fewer ids than other pages, or none, and a next page all the same: {@code next} is then the
     * start of the oldest day that was searched.
     */
    Mono<AdminPage<UUID, UUID>> newest(List<Tenant> tenants, long token, @Nullable UUID after) {
        Span span = after == null ? Span.ALL : Span.ALL.below(new TransactionId(after));
        return oldestDay()
                .map(oldest -> tokenDays.get().of(List.of(span), oldest))
                .flatMap(days -> newest(new TokenSearch(tenants, token, span.before()), days))
                .defaultIfEmpty(new AdminPage<>(List.of(), null));
    }

    private Mono<AdminPage<UUID, UUID>> newest(TokenSearch search, List<Long> days) {
        List<Long> searched = days.subList(0, Math.min(search.daysEach() * search.daysMax(queriesMax), days.size()));
        UUID reached = searched.size() == days.size()
                ? null
                : UuidV7.lowest(TimeUnit.DAYS.toMillis(searched.get(searched.size() - 1)));
        return Flux.fromIterable(searched)
                .buffer(search.daysEach())
                .concatMap(some -> newestOf(search, some))
                .take(READ_MAX)
                .collectList()
                .map(ids -> AdminPage.of(ids, id -> id))
                .map(page -> page.next() == null ? new AdminPage<>(page.items(), reached) : page);
    }

    private Flux<UUID> newestOf(TokenSearch search, List<Long> days) {
        List<Long> stored = days.stream()
                .map(day -> SearchTokens.stored(search.token(), day))
                .toList();
        return Flux.fromIterable(search.tenants())
                .map(Tenant::key)
                .buffer(TokenDays.MERGED_RANGES_MAX)
                .flatMap(
                        some -> transactions
                                .find(and(
                                        in(TENANT, some),
                                        in(SEARCH, stored),
                                        lt(
                                                ID,
                                                TransactionCodec.binary(
                                                        search.before().value()))))
                                .hint(Indexes.ascending(TENANT, SEARCH, ID))
                                .projection(Projections.include(ID))
                                .sort(Sorts.descending(ID))
                                .limit(READ_MAX)
                                .batchSize(READ_MAX),
                        CONCURRENCY)
                .map(TokenSearchStore::id)
                .sort(Comparator.reverseOrder())
                .take(READ_MAX)
                .map(TransactionId::value);
    }

    /** That of the oldest transaction of all tenants; empty without any. */
    private Mono<Long> oldestDay() {
        return Mono.from(transactions
                        .find()
                        .hint(Indexes.ascending(ID))
                        .projection(Projections.include(ID))
                        .sort(Sorts.ascending(ID))
                        .comment(AllShards.OPERATOR)
                        .limit(1))
                .map(oldest -> TokenDays.day(id(oldest).createdAt().toEpochMilli()));
    }

    private static TransactionId id(BsonDocument found) {
        return new TransactionId(found.getBinary(ID).asUuid(UuidRepresentation.STANDARD));
    }

    /** @param before all ids are lower */
    private record TokenSearch(List<Tenant> tenants, long token, TransactionId before) {

        int daysEach() {
            return Math.max(1, TokenDays.MERGED_RANGES_MAX / Math.max(1, tenants.size()));
        }

        /** So many times {@link #daysEach} can be searched, at least once. */
        int daysMax(int queriesMax) {
            int each = (tenants.size() + TokenDays.MERGED_RANGES_MAX - 1) / TokenDays.MERGED_RANGES_MAX;
            return Math.max(1, queriesMax / Math.max(1, each));
        }
    }
}
