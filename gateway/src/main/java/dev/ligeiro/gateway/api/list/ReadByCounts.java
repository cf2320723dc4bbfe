package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.count.CountMatches;
import dev.ligeiro.gateway.api.list.count.Counts;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Found;
import dev.ligeiro.gateway.api.list.match.ReadMatches;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads one page of the matches of a filter: below a known row, or by its number. The counts show where its first row is. */
@Component
class ReadByCounts {

    private final CountMatches counts;
    private final ReadMatches matches;

    ReadByCounts(CountMatches counts, ReadMatches matches) {
        this.counts = counts;
        this.matches = matches;
    }

    /** @return empty if the counting takes too long for that: see {@link #counts} */
    Mono<ListPage> atOnce(Filter filter, ListQuery query) {
        return counts.atOnce(filter, query.span()).flatMap(counted -> read(filter, query, counted));
    }

    /** Waits for counts that are missing. */
    Mono<Counts> counts(Filter filter, ListQuery query) {
        return counts.inBackground(filter, query.span());
    }

    Mono<ListPage> read(Filter filter, ListQuery query, Counts counted) {
        TransactionId after = query.after();
        return after == null
                ? at(filter, query.span(), counted, query.page())
                : after(filter, query.span(), counted, after, query.page());
    }

    private Mono<ListPage> at(Filter filter, Span span, Counts counted, int number) {
        Mono<Found> rows = number == 1
                ? rows(filter, counted, span, 0)
                : counts.find(filter, span, counted, ListPage.firstRow(number))
                        .flatMap(place -> rows(filter, counted, place.span(), place.skip()))
                        .defaultIfEmpty(Found.all(List.of()));
        return rows.map(found -> ListPage.at(number, found, counted.total()));
    }

    private Mono<ListPage> after(Filter filter, Span span, Counts counted, TransactionId after, int number) {
        // the rows last: they may be large, and would be kept while the counts wait for their turn
        return counts.older(filter, counted, after).flatMap(below -> rows(filter, counted, span.below(after), 0)
                .map(found -> ListPage.after(number, found, below, counted.total())));
    }

    private Mono<Found> rows(Filter filter, Counts counted, Span span, long skip) {
        return matches.newest(filter, counts.parts(filter, span, counted), skip, ListPage.ROWS_READ);
    }
}
