package dev.ligeiro.gateway.api.list;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.Archive;
import dev.ligeiro.gateway.store.ArchiveStore;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.LongReads.CausalSession;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Counts and ids by the keys of one index; no document is read. RATIONALE.md has the cost of each read. Reads see what a majority has.
 * A term with tokens is another range of the index for each day: 3 µs a day.
 */
@Component
class TermStore {

    /** More than the 2.5 s of other operations: counting millions takes seconds. */
    static final long QUERY_SECONDS_MAX = 10;

    private static final BsonDocument MAJORITY = new BsonDocument("level", new BsonString("majority"));

    /** The driver repeats queries itself, but not commands. */
    private static final Retry ONCE_MORE = Retry.max(1)
            .filter(failure -> failure instanceof MongoSocketException
                    || failure instanceof MongoNotPrimaryException
                    || failure instanceof MongoNodeIsRecoveringException)
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    /**
     * Most lists find a page in so many days, and merging them costs little: 10 µs a range. To skip a merged key costs 3 µs instead of 1, and
     * the ids that a page skips are mostly of one day.
     */
    private static final int FEW_DAYS = 8;

    /** Ids that are read without an order, in order to see whether they are all. */
    private static final int UNSORTED_MAX = 5_000;

    /** A transaction that is a little older than the tenant's first one may still be inserted. */
    private static final Duration LATE_MAX = Duration.ofSeconds(15);

    /** After an import, a tenant may have older transactions than before. */
    private static final Duration FIRST_REMEMBERED_FOR = Duration.ofMinutes(10);

    private final BoundedReads bounds;
    private final Supplier<TokenDays> tokenDays;
    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> ids;
    private final Supplier<Mono<Archive>> archive;
    private final Cache<First, Long> firstDays;
    private final @Nullable CausalSession session;

    @Autowired
    TermStore(LongReads reads, BoundedReads bounds, CollectionSetup setup, ArchiveStore archive, Clock clock) {
        this(reads, bounds, () -> TokenDays.now(setup, clock), archive::known);
    }

    TermStore(LongReads reads, BoundedReads bounds, Supplier<TokenDays> tokenDays, Supplier<Mono<Archive>> archive) {
        this.bounds = bounds;
        this.tokenDays = tokenDays;
        this.archive = archive;
        this.database = reads.database().withTimeout(QUERY_SECONDS_MAX, TimeUnit.SECONDS);
        this.ids = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.firstDays = Caffeine.newBuilder()
                .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
                .expireAfterWrite(FIRST_REMEMBERED_FOR)
                .build();
        this.session = null;
    }

    private TermStore(TermStore store, CausalSession session) {
        this.bounds = store.bounds;
        this.tokenDays = store.tokenDays;
        this.archive = store.archive;
        this.database = store.database;
        this.ids = store.ids;
        this.firstDays = store.firstDays;
        this.session = session;
    }

    /** The same store, whose reads see at least what the session has read before. One read at a time. */
    TermStore in(CausalSession causal) {
        return new TermStore(this, causal);
    }

    /**
     * 0.2 µs a key, 0.3 µs of a token.
     *
     * @param term null: all transactions of the tenant
     * @param limit at which the count stops
     */
    Mono<Long> count(Tenant tenant, @Nullable Term term, Span span, long limit) {
        return span.isEmpty()
                ? Mono.just(0L)
                : days(tenant, term, List.of(span))
                        .flatMap(days -> count(IndexQuery.of(tenant, term, days, span), limit));
    }

    /** To how many of the term's transactions the fields apply. Reads their documents, 1 to 2 µs each while they are in memory. */
    Mono<Long> count(Tenant tenant, Term term, Filter.OfFields fields, Span span) {
        return days(tenant, term, List.of(span))
                .flatMap(days -> count(IndexQuery.of(tenant, term, days, span).with(fields), Long.MAX_VALUE));
    }

    /** To how many of these transactions the term applies. 3 µs an id. */
    Mono<Long> countAmong(Tenant tenant, Term term, List<TransactionId> among) {
        return among.isEmpty()
                ? Mono.just(0L)
                : Mono.defer(() -> count(IndexQuery.among(tenant, term, days(term, among), among), among.size()));
    }

    /** The ids of {@code among} to whose transactions all terms apply, in the same order. 4 µs an id and term. */
    Mono<List<TransactionId>> matching(Tenant tenant, List<Term> terms, List<TransactionId> among) {
        Mono<List<TransactionId>> matching = Mono.just(among);
        for (Term term : terms) {
            matching = matching.flatMap(some -> among(tenant, term, some));
        }
        return matching;
    }

    private Mono<List<TransactionId>> among(Tenant tenant, Term term, List<TransactionId> among) {
        return among.isEmpty()
                ? Mono.just(among)
                : Mono.defer(() -> list(find(IndexQuery.among(tenant, term, days(term, among), among)), among.size()))
                        .map(found -> {
                            Set<TransactionId> kept = new HashSet<>(found);
                            return among.stream().filter(kept::contains).toList();
                        });
    }

    /**
     * The highest ids, the highest first. 2 µs an id.
     *
     * @param spans the newest first; several ones have all ids of the term between the first and the last of them
     */
    Mono<List<TransactionId>> newest(Tenant tenant, Term term, List<Span> spans, long skip, int limit) {
        Span whole = new Span(spans.get(spans.size() - 1).from(), spans.get(0).before());
        if (whole.isEmpty()) {
            return Mono.just(List.of());
        }
        return days(tenant, term, spans)
                .flatMap(days -> newest(new Newest(tenant, term, whole), days, skip == 0 ? FEW_DAYS : 1, skip, limit));
    }

    /** @param daysAtOnce the first query reads so many days; the other days are read if these have too few ids */
    private Mono<List<TransactionId>> newest(Newest of, List<Long> days, int daysAtOnce, long skip, int limit) {
        int first = Math.min(daysAtOnce, days.size());
        IndexQuery newer = of.query(days.subList(0, first));
        List<Long> older = days.subList(first, days.size());
        return list(find(newer).sort(Sorts.descending(TransactionFields.ID)).skip(Math.toIntExact(skip)), limit)
                .flatMap(found -> found.size() == limit || older.isEmpty()
                        ? Mono.just(found)
                        : left(newer, found, skip)
                                .flatMap(left -> older(of, older, left, limit - found.size()))
                                .map(below -> Stream.concat(found.stream(), below.stream())
                                        .toList()));
    }

    /** How many ids are to be skipped in the older days. */
    private Mono<Long> left(IndexQuery newer, List<TransactionId> found, long skip) {
        return skip == 0 || !found.isEmpty()
                ? Mono.just(0L)
                : count(newer, skip).map(count -> skip - count);
    }

    /** A rare term has few ids in many days: one query reads all of them, in no order. */
    private Mono<List<TransactionId>> older(Newest of, List<Long> days, long skip, int limit) {
        long wanted = skip + limit;
        int merged = of.mergedDaysMax();
        if (days.size() <= merged || wanted >= UNSORTED_MAX) {
            return newest(of, days, merged, skip, limit);
        }
        return list(find(of.query(days)), (int) wanted + 1)
                .flatMap(found -> found.size() > wanted
                        ? newest(of, days, merged, skip, limit)
                        : Mono.just(found.stream()
                                .sorted(Comparator.reverseOrder())
                                .skip(skip)
                                .limit(limit)
                                .toList()));
    }

    /** The UTC day of the tenant's first transaction; empty if it has none. */
    Mono<Long> firstDay(Tenant tenant) {
        return archive.get().flatMap(away -> {
            First first = new First(tenant, away);
            Long remembered = firstDays.getIfPresent(first);
            return remembered != null
                    ? Mono.just(remembered)
                    : readFirstDay(tenant).doOnNext(day -> firstDays.put(first, day));
        });
    }

    /** @param away a month that comes back may have an earlier first day */
    private record First(Tenant tenant, Archive away) {}

    private Mono<Long> readFirstDay(Tenant tenant) {
        return Mono.from(find(IndexQuery.of(tenant, null, List.of(), Span.ALL))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .first())
                .map(first ->
                        TokenDays.day(id(first).createdAt().minus(LATE_MAX).toEpochMilli()));
    }

    /** Of the tokens in these spans, the newest first. Empty without tokens, or without transactions. */
    private Mono<List<Long>> days(Tenant tenant, @Nullable Term term, List<Span> spans) {
        if (!(term instanceof Filter.OfTokens)) {
            return Mono.just(List.of());
        }
        return Mono.defer(() -> {
            long oldest = TokenDays.day(spans.get(spans.size() - 1).firstMilli());
            TokenDays days = tokenDays.get();
            return TokenDays.day(spans.get(0).lastMilli()) == oldest
                    ? Mono.just(days.of(spans, oldest))
                    : firstDay(tenant).map(first -> days.of(spans, first)).defaultIfEmpty(List.of());
        });
    }

    private List<Long> days(Term term, List<TransactionId> ids) {
        return term instanceof Filter.OfTokens ? tokenDays.get().of(ids) : List.of();
    }

    /** {@code countDocuments} is an aggregation, which with a limit costs twice as much as the command {@code count}. */
    private Mono<Long> count(IndexQuery query, long limit) {
        BsonDocument command = new BsonDocument("count", new BsonString(CollectionNames.TRANSACTIONS))
                .append("query", query.condition())
                .append("hint", query.index())
                .append("limit", new BsonInt64(limit))
                .append("readConcern", readConcern());
        return bounds.query(Mono.defer(() -> Mono.from(
                                session == null
                                        ? database.runCommand(command, BsonDocument.class)
                                        : database.runCommand(session.session(), command, BsonDocument.class)))
                        .retryWhen(ONCE_MORE))
                .map(reply -> reply.getNumber("n").longValue());
    }

    /** The driver adds the time to queries itself, but not to commands. */
    private BsonDocument readConcern() {
        return session == null ? MAJORITY : MAJORITY.clone().append("afterClusterTime", session.seen());
    }

    private FindPublisher<BsonDocument> find(IndexQuery query) {
        FindPublisher<BsonDocument> found =
                session == null ? ids.find(query.condition()) : ids.find(session.session(), query.condition());
        return found.hint(query.index()).projection(Projections.include(TransactionFields.ID));
    }

    private Mono<List<TransactionId>> list(FindPublisher<BsonDocument> found, int limit) {
        return bounds.query(Flux.from(found.limit(limit).batchSize(limit))
                .map(TermStore::id)
                .collectList());
    }

    private static TransactionId id(BsonDocument found) {
        return new TransactionId(found.getBinary(TransactionFields.ID).asUuid());
    }

    private record Newest(Tenant tenant, Term term, Span span) {

        private IndexQuery query(List<Long> days) {
            return IndexQuery.of(tenant, term, days, span);
        }

        private int mergedDaysMax() {
            return term instanceof Filter.OfTokens it
                    ? Math.max(
                            1, TokenDays.MERGED_RANGES_MAX / it.alternatives().size())
                    : 1;
        }
    }

    /**
     * The condition of a query that the keys of one index answer, and this index. {@link Filter.OfFields} is read from the documents.
     *
     * @param index for {@code hint}
     */
    record IndexQuery(BsonDocument condition, BsonDocument index) {

        private static final BsonDocument BY_ID = index(TransactionFields.ID);
        private static final BsonDocument BY_TENANT = index(TransactionFields.TENANT, TransactionFields.ID);
        private static final BsonDocument BY_STATUS =
                index(TransactionFields.TENANT, TransactionFields.STATUS, TransactionFields.ID);
        private static final BsonDocument BY_TOKEN =
                index(TransactionFields.TENANT, TransactionFields.SEARCH, TransactionFields.ID);

        /**
         * @param term null: all transactions of the tenant
         * @param days those of the tokens in the span, if the term has tokens: see {@link TokenDays}
         */
        static IndexQuery of(Tenant tenant, @Nullable Term term, List<Long> days, Span span) {
            BsonDocument range = new BsonDocument("$gte", binary(span.from())).append("$lt", binary(span.before()));
            return of(tenant, term, days, range);
        }

        /**
         * The transactions with these ids to which the term applies. MongoDB looks for each id at its day only.
         *
         * @param days of the ids, if the term has tokens
         */
        static IndexQuery among(Tenant tenant, Term term, List<Long> days, List<TransactionId> ids) {
            return of(tenant, term, days, in(ids));
        }

        /** The transactions with these ids that still have the filter's status. It reads their documents, which the response needs anyway. */
        static IndexQuery byIds(Filter filter, List<TransactionId> ids) {
            BsonDocument condition = new BsonDocument(TransactionFields.ID, in(ids))
                    .append(
                            TransactionFields.TENANT,
                            new BsonInt64(filter.tenant().key()));
            filter.status()
                    .ifPresent(status -> condition.append(TransactionFields.STATUS, new BsonString(status.code())));
            return new IndexQuery(condition, BY_ID);
        }

        private static BsonDocument in(List<TransactionId> ids) {
            return new BsonDocument(
                    "$in", new BsonArray(ids.stream().map(IndexQuery::binary).toList()));
        }

        private static IndexQuery of(Tenant tenant, @Nullable Term term, List<Long> days, BsonDocument ids) {
            BsonDocument condition = new BsonDocument(TransactionFields.TENANT, new BsonInt64(tenant.key()));
            BsonDocument index = BY_TENANT;
            if (term instanceof Filter.OfStatus it) {
                condition.append(
                        TransactionFields.STATUS, new BsonString(it.status().code()));
                index = BY_STATUS;
            } else if (term instanceof Filter.OfTokens it) {
                condition.append(TransactionFields.SEARCH, anyOf(it.stored(days)));
                index = BY_TOKEN;
            }
            IndexQuery query = new IndexQuery(condition.append(TransactionFields.ID, ids), index);
            return term instanceof Filter.OfFields it ? query.with(it) : query;
        }

        /** The same, of those transactions to which the fields apply. */
        IndexQuery with(Filter.OfFields fields) {
            BsonDocument both = condition.clone();
            if (fields.operation() != null) {
                both.append(
                        TransactionFields.OPERATION,
                        new BsonString(fields.operation().code()));
            }
            if (fields.hasAmounts()) {
                BsonDocument bounds = new BsonDocument();
                if (fields.min() != null) {
                    bounds.append("$gte", new BsonInt64(fields.min().cents()));
                }
                if (fields.max() != null) {
                    bounds.append("$lte", new BsonInt64(fields.max().cents()));
                }
                both.append(TransactionFields.AMOUNT, bounds);
            }
            return new IndexQuery(both, index);
        }

        private static BsonValue anyOf(List<Long> tokens) {
            return tokens.size() == 1
                    ? new BsonInt64(tokens.get(0))
                    : new BsonDocument(
                            "$in",
                            new BsonArray(tokens.stream().map(BsonInt64::new).toList()));
        }

        private static BsonBinary binary(TransactionId id) {
            return TransactionCodec.binary(id.value());
        }

        private static BsonDocument index(String... fields) {
            BsonDocument index = new BsonDocument();
            for (String field : fields) {
                index.append(field, new BsonInt32(1));
            }
            return index;
        }
    }
}
