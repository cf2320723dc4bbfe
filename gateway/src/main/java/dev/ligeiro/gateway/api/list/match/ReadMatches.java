package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.match.IdWalk.FoundIds;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads matching transactions, the newest first. */
@Component
public class ReadMatches {

    /** About 3 s. A page of 100 rows has up to 200,000 of them if each row is in another time bucket. */
    private static final long LIST_KEYS_MAX = 500_000;

    private static final long ALL_BYTES = Long.MAX_VALUE;

    private final TermStore terms;
    private final DocumentStore documents;

    ReadMatches(TermStore terms, DocumentStore documents) {
        this.terms = terms;
        this.documents = documents;
    }

    /**
     * The newest matching transactions, after the first {@code skip}. The search gives up if several terms have too few matches among too
     * many ids: it has found fewer rows then, and says how far it came.
     *
     * @param spans the newest first; outside of them there are no matches. A filter of several terms needs them to be fast: without them,
     *     the last page would read all older ids of the rarest term, in search of another row. One with a token needs no other days then
     */
    public Mono<Found> newest(Filter filter, List<Span> spans, long skip, int limit) {
        if (spans.isEmpty()) {
            return Mono.just(Found.all(List.of()));
        }
        Span whole = new Span(spans.get(spans.size() - 1).from(), spans.get(0).before());
        return filter.isOneRange()
                ? documents.newest(filter, whole, skip, limit, ALL_BYTES)
                : byIds(filter, spans, skip, limit);
    }

    /**
     * The newest matching transactions, as far as they are found within a limited number of keys of the rarest term.
     *
     * @param bytesMax the read ends when its documents have so many bytes
     * @param keysMax 5 µs each
     */
    public Mono<Found> some(Filter filter, Span span, int limit, long bytesMax, long keysMax) {
        return filter.isOneRange()
                ? documents.newest(filter, span, 0, limit, bytesMax)
                : ids(filter, List.of(span), 0, limit, keysMax).flatMap(ids -> documents.byIds(filter, ids, bytesMax));
    }

    private Mono<FoundIds> ids(Filter filter, List<Span> spans, long skip, int limit, long keysMax) {
        Term only = filter.onlyTerm();
        return filter.isOneTerm() && only != null
                ? terms.newest(filter.tenant(), only, spans, skip, limit).map(ids -> FoundIds.of(ids, limit))
                : IdWalk.find(terms, filter, spans, skip, limit, keysMax);
    }

    private Mono<Found> byIds(Filter filter, List<Span> spans, long skip, int limit) {
        return ids(filter, spans, skip, limit, LIST_KEYS_MAX).flatMap(ids -> documents
                .byIds(filter, ids, ALL_BYTES)
                .flatMap(found -> ids.ids().size() == limit
                                && found.isShortOf(limit)
                                && found.bytes() <= GatewayMemoryBudget.LIST_KEPT_BYTES
                        ? more(filter, below(ids.ids().get(limit - 1), spans), found, limit)
                        : Mono.just(found)));
    }

    /**
     * Fills a page up: a status has changed between the reading of ids and documents, or a document cannot be decoded. What was found before
     * is kept meanwhile, so a page of large documents stays short.
     */
    private Mono<Found> more(Filter filter, List<Span> spans, Found found, int limit) {
        return newest(filter, spans, 0, limit - found.rows().size()).map(found::and);
    }

    private static List<Span> below(TransactionId id, List<Span> spans) {
        return spans.stream()
                .map(span -> span.below(id))
                .filter(span -> !span.isEmpty())
                .toList();
    }
}
