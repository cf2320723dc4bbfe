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
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
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
     * A list while months are archived. Rows of archived months are not shown, also while MongoDB still has them, or has them again.
     *
     * @param archived the months with archived transactions of the tenant, the oldest first; none: the list is complete
     * @param spans those of the rows that are shown, the newest first
     */
    record Present(ListQuery query, List<Archive.Month> archived, List<Span> spans) {

        private static Present of(ListQuery query, List<Archive.Month> archived) {
            LinkedList<Span> newestFirst = new LinkedList<>();
            Span rest = query.span();
            for (Archive.Month month : archived) {
                newestFirst.addFirst(rest.beforeMillis(month.firstMilli()));
                rest = rest.fromMillis(month.endMilli());
            }
            newestFirst.addFirst(rest);
            return new Present(
                    query,
                    archived,
                    newestFirst.stream().filter(span -> !span.isEmpty()).toList());
        }

        /** Null if the list is complete. */
        @Nullable
        Instant completeFrom() {
            return archived.isEmpty()
                    ? null
                    : Instant.ofEpochMilli(archived.get(archived.size() - 1).endMilli());
        }

        private boolean shows(TransactionId id) {
            return spans.stream().anyMatch(span -> span.contains(id));
        }

        /** The newest of the spans that have ids in this one. */
        private Optional<Span> newest(Span within) {
            return spans.stream()
                    .map(span -> span.within(within))
                    .filter(span -> !span.isEmpty())
                    .findFirst();
        }

        /** The same, after all matches of a span were found: others may be in older ones. */
        private Found others(Found found, Span read) {
            return found.reached() == null
                            && newest(Span.ALL.below(read.from())).isPresent()
                    ? new Found(found.rows(), found.leftOut(), read.from())
                    : found;
        }
    }

    Mono<Present> present(Tenant tenant, ListQuery query) {
        return archived.months(tenant, query.span()).map(months -> Present.of(query, months));
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        return present(tenant, query).flatMap(present -> {
            Mono<ListPage> page = query.isSingle()
                    ? inTurn(tenant, single(tenant, present).map(found -> page(found, query)))
                    : page(query.filter(tenant), present);
            Instant from = present.completeFrom();
            return from == null
                    ? page
                    : page.flatMap(
                            found -> archived(tenant, present).map(notShown -> found.completeFrom(from, notShown)));
        });
    }

    private Mono<List<TransactionSnapshot>> single(Tenant tenant, Present present) {
        return documents.single(tenant, present.query).map(found -> found.stream()
                .filter(one -> present.shows(one.id()))
                .toList());
    }

    /** How many archived transactions match. A list with amounts has none, because archived transactions are not counted by them. */
    private Mono<Long> archived(Tenant tenant, Present present) {
        Filter filter = present.query.filter(tenant);
        return present.query.isSingle() || filter.hasAmounts()
                ? Mono.just(0L)
                : archived.count(filter, present.query.span(), present.archived);
    }

    /** A list that waits for counts leaves its turn to the tenant's other lists. */
    private Mono<ListPage> page(Filter filter, Present present) {
        Tenant tenant = filter.tenant();
        Mono<ListPage> atOnce = Flux.fromIterable(present.spans)
                .concatMap(span -> counts.atOnce(filter, span))
                .collectList()
                .filter(counted -> counted.size() == present.spans.size())
                .flatMap(counted -> read(filter, present, Counts.of(counted)));
        return inTurn(tenant, atOnce)
                .switchIfEmpty(Flux.fromIterable(present.spans)
                        .concatMap(span -> failFast.run(counts.inBackground(filter, span)))
                        .collectList()
                        .flatMap(counted -> inTurn(tenant, read(filter, present, Counts.of(counted)))));
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

    private Mono<ListPage> read(Filter filter, Present present, Counts counted) {
        int number = present.query.page();
        TransactionId after = present.query.after();
        if (after != null) {
            // the rows last: they may be large, and would be kept while the counts wait for their turn
            return counts.older(filter, counted, after)
                    .flatMap(below -> rows(filter, present, counted, Span.ALL.below(after), 0, ListPage.ROWS_READ)
                            .map(found -> ListPage.after(number, found, below, counted.total())));
        }
        return counted.find(ListPage.firstRow(number))
                .map(place -> rows(filter, present, counted, place.span(), place.skip(), ListPage.ROWS_READ))
                .orElse(Mono.just(Found.all(List.of())))
                .map(found -> ListPage.at(number, found, counted.total()));
    }

    /** @param skip at most the matches of the newest span */
    private Mono<Found> rows(Filter filter, Present present, Counts counted, Span within, long skip, int limit) {
        Span newest = present.newest(within).orElse(null);
        if (newest == null) {
            return Mono.just(Found.all(List.of()));
        }
        return matches.newest(filter, counted.withMatches(newest), skip, limit).flatMap(found -> {
            int missing = limit - found.rows().size();
            return missing == 0 || found.reached() != null
                    ? Mono.just(found)
                    : rows(filter, present, counted, within.below(newest.from()), 0, missing)
                            .map(found::and);
        });
    }

    /**
     * The newest matching transactions, without counting, for an export. If they are large, the read ends before it has found
     * {@code limit}; if they are rare, before it has found any, and leaves its slot to another read.
     *
     * @param below only those with a lower id; null: from the newest one on
     * @throws IllegalStateException (in the result) if a month that was present has been archived, so that rows may be missing
     */
    Mono<Found> below(Tenant tenant, Present present, @Nullable TransactionId below, int limit) {
        Span span =
                present.newest(below == null ? Span.ALL : Span.ALL.below(below)).orElse(null);
        if (span == null) {
            return Mono.just(Found.all(List.of()));
        }
        ListQuery query = present.query;
        Mono<Found> found = query.isSingle()
                ? single(tenant, present).map(Found::all)
                : matches.some(
                                query.filter(tenant),
                                span,
                                limit,
                                GatewayMemoryBudget.EXPORT_READ_BYTES,
                                EXPORT_KEYS_MAX)
                        .map(read -> present.others(read, span));
        return reads.export(tenant, failFast.run(found)).flatMap(read -> {
            TransactionId reached = read.reached();
            Span looked = reached == null ? span : new Span(reached, span.before());
            return archived.months(tenant, looked)
                    .flatMap(gone -> gone.isEmpty()
                            ? Mono.just(read)
                            : Mono.error(new IllegalStateException(gone.get(0).month() + " (expected: not archived)")));
        });
    }
}
