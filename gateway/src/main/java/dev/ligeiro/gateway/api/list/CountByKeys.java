package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.gateway.store.LongReads.CausalSession;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts matching transactions by index keys; nothing is cached. */
@Component
class CountByKeys {

    /** So many ids of the rarest term are looked up by one query: 130 kB as its condition. */
    private static final int CHUNK = ReadMatches.CHUNK_MAX;

    /** Some 6 ms with one term. */
    private static final long KEYS_MAX = 20_000;

    /** Some 10 ms with several terms, because each key of one is looked up in the index of another. */
    private static final long KEYS_MAX_OF_SEVERAL_TERMS = 2_000;

    private final TermStore store;
    private final long keysMax;
    private final long keysMaxOfSeveralTerms;

    @Autowired
    CountByKeys(TermStore store) {
        this(store, KEYS_MAX, KEYS_MAX_OF_SEVERAL_TERMS);
    }

    CountByKeys(TermStore store, long keysMax, long keysMaxOfSeveralTerms) {
        this.store = store;
        this.keysMax = keysMax;
        this.keysMaxOfSeveralTerms = keysMaxOfSeveralTerms;
    }

    /** The same, for counts that see at least what the session has read before. */
    CountByKeys in(CausalSession session) {
        return new CountByKeys(store.in(session), keysMax, keysMaxOfSeveralTerms);
    }

    /** How many index keys one query for a cached count should read at most. */
    long keysMax(Filter filter) {
        return filter.isOneTerm() ? keysMax : keysMaxOfSeveralTerms;
    }

    /** Counts the matching transactions of the span, however many keys it has. */
    Mono<Long> count(Filter filter, Span span) {
        return upTo(filter, span, Long.MAX_VALUE).map(Counted::matches);
    }

    /**
     * Counts the matching transactions of the span, unless it has too many keys. With one term or none a key costs 0.2 to 0.3 µs. With
     * several, the ids of the rarest term are read and looked up in the indexes of the others: 5 µs for each, however many transactions
     * the others apply to. With one and fields that have no index, the documents of its keys are read.
     *
     * @param max how many index keys are counted at most, of the rarest term
     * @return empty, before the look-ups begin, if there are more keys
     */
    Mono<Counted> upTo(Filter filter, Span span, long max) {
        if (!filter.isOneTerm()) {
            return rarestFirst(filter, span, max)
                    .filter(terms -> terms.get(0).keys() <= max)
                    .flatMap(terms -> countSeveral(filter, terms, span));
        }
        long limit = max == Long.MAX_VALUE ? max : max + 1;
        return store.count(filter.tenant(), filter.onlyTerm(), span, limit)
                .filter(keys -> keys <= max)
                .map(keys -> new Counted(keys, keys));
    }

    /** The ids of the newest matches of the span, however many keys it has. 4 µs a key and term. */
    Mono<List<TransactionId>> newest(Filter filter, Span span, int limit) {
        return ReadMatches.ids(store, filter, List.of(span), 0, limit, Long.MAX_VALUE)
                .map(ReadMatches.FoundIds::ids);
    }

    /** The UTC day of the tenant's first transaction, by its number since 1970; empty if it has none. */
    Mono<Long> firstDay(Tenant tenant) {
        return store.firstDay(tenant);
    }

    /** Without the other terms if one has no keys. A complete count of all keys is needed only where each term has very many. */
    private Mono<List<TermKeys>> rarestFirst(Filter filter, Span span, long max) {
        long few = Math.min(max, CHUNK);
        return counted(filter, span, few + 1)
                .flatMap(terms -> terms.get(0).keys() > few && few < max
                        ? counted(filter, span, Long.MAX_VALUE)
                        : Mono.just(terms));
    }

    private Mono<List<TermKeys>> counted(Filter filter, Span span, long limit) {
        return Flux.fromIterable(filter.indexed())
                .concatMap(
                        term -> store.count(filter.tenant(), term, span, limit).map(keys -> new TermKeys(term, keys)))
                .takeUntil(term -> term.keys() == 0)
                .sort(Comparator.comparingLong(TermKeys::keys))
                .collectList();
    }

    private Mono<Counted> countSeveral(Filter filter, List<TermKeys> rarestFirst, Span span) {
        Tenant tenant = filter.tenant();
        long keys = rarestFirst.get(0).keys();
        if (keys == 0) {
            return Mono.just(new Counted(0, 0));
        }
        if (rarestFirst.size() == 1) {
            // the keys are those of the only term with an index: MongoDB checks the fields as it goes through them
            return store.count(
                            tenant, rarestFirst.get(0).term(), filter.checked().orElseThrow(), span)
                    .map(matches -> new Counted(matches, keys));
        }
        List<Term> terms = filter.withChecked(rarestFirst.stream().map(TermKeys::term));
        return chunk(tenant, terms, span)
                .expand(chunk -> Mono.justOrEmpty(chunk.rest()).flatMap(rest -> chunk(tenant, terms, rest)))
                .reduce(0L, (sum, chunk) -> sum + chunk.matches())
                .map(matches -> new Counted(matches, keys));
    }

    /** Counts among the newest ids. {@code expand} reads the next ones when this has ended, whatever is asked of it. */
    private Mono<Chunk> chunk(Tenant tenant, List<Term> rarestFirst, Span span) {
        List<Term> between = rarestFirst.subList(1, rarestFirst.size() - 1);
        Term last = rarestFirst.get(rarestFirst.size() - 1);
        return store.newest(tenant, rarestFirst.get(0), List.of(span), 0, CHUNK).flatMap(ids -> store.matching(
                        tenant, between, ids)
                .flatMap(some -> store.countAmong(tenant, last, some))
                .map(matches -> new Chunk(
                        matches, ids.size() < CHUNK ? Optional.empty() : Optional.of(span.below(ids.get(CHUNK - 1))))));
    }

    /** @param keys index keys of the rarest term, up to some thousands */
    record Counted(long matches, long keys) {}

    private record TermKeys(Term term, long keys) {}

    /** @param rest the span of the ids that are not counted yet */
    private record Chunk(long matches, Optional<Span> rest) {}
}
