package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Counts and reads matching transactions. */
@Component
public class MatchStore {

    /** About 3 s. A page of 100 rows has up to 200,000 of them if each row is in another slice of kept counts. */
    private static final long LIST_KEYS_MAX = 500_000;

    private final TermStore terms;
    private final Intersection intersection;
    private final DocumentStore documents;

    MatchStore(TermStore terms, Intersection intersection, DocumentStore documents) {
        this.terms = terms;
        this.intersection = intersection;
        this.documents = documents;
    }

    /**
     * Counts the matching transactions of the span, unless it has too many. With one term or none a key costs 0.2 to 0.3 µs, otherwise a
     * key of the rarest term 5 µs.
     *
     * @param scannedMax how many index keys are counted at most, of the rarest term; {@link Long#MAX_VALUE}: no limit
     */
    public Mono<Scan> count(Filter filter, Span span, long scannedMax) {
        if (!filter.isOneTerm()) {
            return intersection.count(filter, span, scannedMax);
        }
        long limit = scannedMax == Long.MAX_VALUE ? scannedMax : scannedMax + 1;
        return terms.count(filter.tenant(), filter.onlyTerm(), span, limit)
                .map(keys -> new Scan(Math.min(keys, scannedMax), keys <= scannedMax));
    }

    /** The time of creation of the tenant's first transaction. */
    public Mono<Optional<Instant>> first(Tenant tenant) {
        return terms.first(tenant).map(TransactionId::createdAt).singleOptional();
    }

    /**
     * The newest matching transactions, after the first {@code skip}. The search gives up if several terms have too few matches among too
     * many ids: it has found fewer rows then, and says how far it came.
     *
     * @param parts the newest first; outside of them there are no matches. A filter of several terms needs them to be fast: without them,
     *     the last page would read all older ids of the rarest term, in search of another row
     */
    public Mono<Found> newest(Filter filter, List<Part> parts, long skip, int limit) {
        if (parts.isEmpty()) {
            return Mono.just(Found.all(List.of()));
        }
        if (!filter.isOneTerm()) {
            return bySeveral(filter, parts, skip, limit);
        }
        Span all = new Span(
                parts.get(parts.size() - 1).span().from(), parts.get(0).span().before());
        return documents.newest(filter, all, skip, limit).map(rows -> Found.of(rows, limit));
    }

    /**
     * The newest matching transactions, as far as they are found within a limited number of keys of the rarest term.
     *
     * @param keysMax 5 µs each
     */
    public Mono<Found> some(Filter filter, Span span, int limit, long keysMax) {
        if (filter.isOneTerm()) {
            return documents.newest(filter, span, 0, limit).map(rows -> Found.of(rows, limit));
        }
        return intersection
                .newest(filter, List.of(new Part(span, null)), 0, limit, keysMax)
                .flatMap(ids -> documents.byIds(filter, ids.ids()).map(rows -> new Found(rows, ids.reached())));
    }

    private Mono<Found> bySeveral(Filter filter, List<Part> parts, long skip, int limit) {
        return intersection.newest(filter, parts, skip, limit, LIST_KEYS_MAX).flatMap(ids -> documents
                .byIds(filter, ids.ids())
                .map(rows -> new Found(rows, ids.reached()))
                .flatMap(found -> ids instanceof FoundIds.FullPage page && found.isShortOf(limit)
                        ? more(filter, Part.below(page.reached(), parts), found.rows(), limit)
                        : Mono.just(found)));
    }

    /** A status has changed between the reading of ids and documents. */
    private Mono<Found> more(Filter filter, List<Part> parts, List<Transaction> rows, int limit) {
        return newest(filter, parts, 0, limit - rows.size())
                .map(more -> new Found(
                        Stream.concat(rows.stream(), more.rows().stream()).toList(), more.reached()));
    }
}
