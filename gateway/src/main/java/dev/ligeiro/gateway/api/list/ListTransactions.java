package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.ReadMatches.Found;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.Archive;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads one page of a list, or some rows of an export, when it is the request's turn. A page is below a known row, or found by its number:
 * the counts show where its first row is. A list with an identifier, a reference or an end-to-end id has at most one transaction, and needs
 * no counts.
 */
@Component
class ListTransactions {

    /** About 0.1 s. Each of 16 exports that wait for two slots gets one within the 2 s that it may wait. */
    private static final long EXPORT_KEYS_MAX = 20_000;

    private final DocumentStore documents;
    private final CountMatches counts;
    private final ReadMatches matches;
    private final ArchivedCountStore archived;
    private final BoundedReads reads;
    private final FailFast failFast;

    ListTransactions(
            DocumentStore documents,
            CountMatches counts,
            ReadMatches matches,
            ArchivedCountStore archived,
            BoundedReads reads,
            FailFast failFast) {
        this.documents = documents;
        this.counts = counts;
        this.matches = matches;
        this.archived = archived;
        this.reads = reads;
        this.failFast = failFast;
    }

    /**
     * The part of a list that MongoDB has: what was created after the last archived month.
     *
     * @param query the list from then on
     * @param months with archived transactions of the tenant, the oldest first; none: the list is complete
     */
    record Present(ListQuery query, List<Archive.Month> months) {

        /** Null if the list is complete. */
        @Nullable
        Instant completeFrom() {
            return months.isEmpty()
                    ? null
                    : Instant.ofEpochMilli(months.get(months.size() - 1).endMilli());
        }
    }

    Mono<Present> present(Tenant tenant, ListQuery query) {
        return archived.months(tenant, query.span()).map(months -> {
            Instant from = new Present(query, months).completeFrom();
            return new Present(from == null ? query : query.since(from), months);
        });
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        return present(tenant, query).flatMap(present -> {
            Mono<ListPage> page = presentPage(tenant, present.query);
            Instant from = present.completeFrom();
            return from == null
                    ? page
                    : page.flatMap(found ->
                            older(tenant, query, present.months).map(older -> found.completeFrom(from, older)));
        });
    }

    private Mono<ListPage> presentPage(Tenant tenant, ListQuery query) {
        if (query.span().isEmpty()) {
            return Mono.just(ListPage.at(query.page(), Found.all(List.of()), 0));
        }
        return query.isSingle()
                ? inTurn(tenant, documents.single(tenant, query).map(found -> page(found, query)))
                : page(query.filter(tenant), query);
    }

    /**
     * How many matches were created before the part that is shown: those in archived months, and those in the months between, which MongoDB has.
     * A list with amounts has none, because archived transactions are not counted by them.
     */
    private Mono<Long> older(Tenant tenant, ListQuery query, List<Archive.Month> months) {
        Filter filter = query.filter(tenant);
        if (query.isSingle() || filter.hasAmounts()) {
            return Mono.just(0L);
        }
        Span rest = query.span();
        List<Span> between = new ArrayList<>();
        for (Archive.Month month : months) {
            between.add(rest.beforeMillis(month.firstMilli()));
            rest = rest.fromMillis(month.endMilli());
        }
        return Flux.fromIterable(between)
                .filter(span -> !span.isEmpty())
                .concatMap(span -> inTurn(tenant, counts.atOnce(filter, span))
                        .switchIfEmpty(failFast.run(counts.inBackground(filter, span))))
                .map(Counts::total)
                .concatWith(archived.count(filter, query.span(), months))
                .reduce(0L, Long::sum);
    }

    /** A list that waits for counts leaves its turn to the tenant's other lists. */
    private Mono<ListPage> page(Filter filter, ListQuery query) {
        Tenant tenant = filter.tenant();
        Mono<ListPage> atOnce = counts.atOnce(filter, query.span()).flatMap(counted -> read(filter, query, counted));
        return inTurn(tenant, atOnce)
                .switchIfEmpty(failFast.run(counts.inBackground(filter, query.span()))
                        .flatMap(counted -> inTurn(tenant, read(filter, query, counted))));
    }

    private <T> Mono<T> inTurn(Tenant tenant, Mono<T> read) {
        return reads.list(tenant, failFast.run(read));
    }

    private static ListPage page(List<TransactionSnapshot> found, ListQuery query) {
        TransactionId after = query.after();
        if (after == null) {
            return ListPage.at(query.page(), Found.all(query.page() == 1 ? found : List.of()), found.size());
        }
        List<TransactionSnapshot> rows =
                found.stream().filter(one -> one.id().compareTo(after) < 0).toList();
        return ListPage.after(query.page(), Found.all(rows), rows.size(), found.size());
    }

    private Mono<ListPage> read(Filter filter, ListQuery query, Counts counted) {
        int number = query.page();
        TransactionId after = query.after();
        if (after != null) {
            // the rows last: they may be large, and would be kept while the counts wait for their turn
            return counts.older(filter, counted, after)
                    .flatMap(below -> rows(filter, counted, query.span().below(after), 0)
                            .map(found -> ListPage.after(number, found, below, counted.total())));
        }
        return counted.find(ListPage.firstRow(number))
                .map(place -> rows(filter, counted, place.span(), place.skip()))
                .orElse(Mono.just(Found.all(List.of())))
                .map(found -> ListPage.at(number, found, counted.total()));
    }

    private Mono<Found> rows(Filter filter, Counts counted, Span span, long skip) {
        return matches.newest(filter, counted.withMatches(span), skip, ListPage.ROWS_READ);
    }

    /**
     * The newest matching transactions, without counting, for an export. If they are large, the read ends before it has found
     * {@code limit}; if they are rare, before it has found any, and leaves its slot to another read.
     *
     * @param below only those with a lower id; null: from the newest one on
     */
    Mono<Found> below(Tenant tenant, ListQuery query, @Nullable TransactionId below, int limit) {
        Span span = below == null ? query.span() : query.span().below(below);
        Mono<Found> found = query.isSingle()
                ? documents.single(tenant, query).map(Found::all)
                : matches.some(
                        query.filter(tenant), span, limit, GatewayMemoryBudget.EXPORT_READ_BYTES, EXPORT_KEYS_MAX);
        return reads.export(tenant, failFast.run(found));
    }
}
