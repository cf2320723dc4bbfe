package dev.ligeiro.gateway.api.list;

import static com.mongodb.client.model.Filters.in;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.Archive;
import dev.ligeiro.gateway.store.ArchiveStore;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.ArchivedCount;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Tenant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What of a tenant's transactions is archived, and how many of those match a filter: see {@link ArchivedCount}. */
@Component
class ArchivedCountStore {

    private static final long DAY_MILLIS = ArchivedCount.QUARTERS * ArchivedCount.QUARTER_MILLIS;

    private final ArchiveStore archive;
    private final BoundedReads bounds;
    private final FailFast failFast;
    private final MongoCollection<BsonDocument> counts;

    ArchivedCountStore(ArchiveStore archive, LongReads reads, BoundedReads bounds, FailFast failFast) {
        this.archive = archive;
        this.bounds = bounds;
        this.failFast = failFast;
        this.counts = reads.database()
                .getCollection(CollectionNames.ARCHIVED_COUNTS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /** The months with archived transactions of the tenant that have a part in this span, the oldest first. */
    Mono<List<Archive.Month>> months(Tenant tenant, Span span) {
        return archive.known().flatMap(known -> {
            List<Archive.Month> months = known.within(span.firstMilli(), span.endMilli());
            return months.isEmpty()
                    ? Mono.just(months)
                    : inTurn(
                            tenant,
                            Flux.from(counts.find(in(ArchivedCount.ID, ids(tenant, months)))
                                            .projection(Projections.include(ArchivedCount.ID)))
                                    .map(found -> found.getDocument(ArchivedCount.ID))
                                    .collectList()
                                    .map(found -> having(tenant, months, new HashSet<>(found))));
        });
    }

    private <T> Mono<T> inTurn(Tenant tenant, Mono<T> read) {
        return bounds.list(tenant, failFast.run(read));
    }

    private static List<BsonDocument> ids(Tenant tenant, List<Archive.Month> months) {
        return months.stream().map(month -> id(tenant, month, 0)).toList();
    }

    private static List<Archive.Month> having(Tenant tenant, List<Archive.Month> months, Set<BsonDocument> ids) {
        return months.stream()
                .filter(month -> ids.contains(id(tenant, month, 0)))
                .toList();
    }

    private static BsonDocument id(Tenant tenant, Archive.Month month, int day) {
        return ArchivedCount.id(month.month(), month.generation(), tenant, day);
    }

    /**
     * How many archived transactions of these months and this span match.
     *
     * @param filter without amounts
     */
    Mono<Long> count(Filter filter, Span span, List<Archive.Month> months) {
        List<BsonDocument> ids = months.stream()
                .flatMap(month -> isWithin(span, month)
                        ? Stream.of(id(filter.tenant(), month, 0))
                        : IntStream.rangeClosed(1, month.month().lengthOfMonth())
                                .mapToObj(day -> id(filter.tenant(), month, day)))
                .toList();
        return inTurn(
                filter.tenant(),
                Flux.from(counts.find(in(ArchivedCount.ID, ids)))
                        .map(found -> count(filter, span, found))
                        .reduce(0L, Long::sum));
    }

    private static boolean isWithin(Span span, Archive.Month month) {
        return span.firstMilli() <= month.firstMilli() && month.endMilli() <= span.endMilli();
    }

    private static long count(Filter filter, Span span, BsonDocument stored) {
        return stored.getDocument(ArchivedCount.KINDS).entrySet().stream()
                .filter(kind -> ArchivedCount.parse(kind.getKey())
                        .filter(filter::matches)
                        .isPresent())
                .mapToLong(kind -> count(span, stored.getDocument(ArchivedCount.ID), kind.getValue()))
                .sum();
    }

    private static long count(Span span, BsonDocument id, BsonValue kind) {
        LongStream from = ArchivedCount.dayOf(id)
                .map(day -> quarters(day, span, kind.asDocument()))
                .orElse(LongStream.of(number(kind.asDocument(), ArchivedCount.TOTAL)));
        return from.sum();
    }

    /** The numbers of the quarters of an hour of a day that are in the span. */
    private static LongStream quarters(LocalDate day, Span span, BsonDocument kind) {
        long midnight = day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        if (span.firstMilli() <= midnight && midnight + DAY_MILLIS <= span.endMilli()) {
            return LongStream.of(number(kind, ArchivedCount.TOTAL));
        }
        return LongStream.iterate(midnight, at -> at < midnight + DAY_MILLIS, at -> at + ArchivedCount.QUARTER_MILLIS)
                .filter(at -> span.firstMilli() <= at && at < span.endMilli())
                .map(at -> number(kind, ArchivedCount.quarter(at)));
    }

    private static long number(BsonDocument kind, String field) {
        return kind.getInt64(field, new BsonInt64(0)).getValue();
    }
}
