package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.api.list.match.Term;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The filters and the page of a list request. Filters are combined with AND; an unused one is null or empty.
 *
 * @param nameWords words of the payer's name, all of which must match
 * @param pixKeys the normal forms that the key may have, one of which must match: digits may be a CPF or a phone
 * @param from the earliest time of creation; null for no bound
 * @param before the end of the time of creation, exclusive; null for no bound
 * @param after only older transactions than this one are shown, which need not exist; null: the page is found by its number
 * @param page from 1
 */
public record ListQuery(
        @Nullable TransactionId identifier,
        @Nullable String reference,
        @Nullable Status status,
        @Nullable String document,
        List<String> nameWords,
        @Nullable String phone,
        @Nullable UUID platform,
        Set<String> pixKeys,
        @Nullable Instant from,
        @Nullable Instant before,
        @Nullable TransactionId after,
        int page) {

    /**
     * Parses query parameters. An empty value counts as absent.
     *
     * @param zone the time zone of the dates
     * @throws Problem 422 with every unknown, repeated or malformed parameter
     */
    static ListQuery parse(MultiValueMap<String, String> parameters, ZoneId zone) {
        return parse(new QueryParameters(parameters, ListParameters.KNOWN), zone);
    }

    /** As {@link #parse}, of a request that has no pages. */
    public static ListQuery parseFilters(MultiValueMap<String, String> parameters, ZoneId zone) {
        return parse(new QueryParameters(parameters, ListParameters.FILTERS), zone);
    }

    private static ListQuery parse(QueryParameters given, ZoneId zone) {
        ListParameters.NameOrDocument party = given.parsed("name_document", ListParameters::nameOrDocument);
        LocalDate initial = given.parsed("initial_date", ListParameters::date);
        LocalDate last = given.parsed("final_date", ListParameters::date);
        if (initial != null && last != null && initial.isAfter(last)) {
            given.reject("initial_date", "expected a date that is not after final_date");
        }
        Set<String> pixKeys = given.parsed("pix_key", ListQuery::pixKeys);
        TransactionId after = given.parsed("after", ListParameters::after);
        Integer page = given.parsed("page", ListParameters::page);
        ListQuery query = new ListQuery(
                given.parsed("identifier", ListParameters::transactionId),
                given.parsed("reference", ListParameters::reference),
                given.parsed("status", ListParameters::status),
                party == null ? null : party.document(),
                party == null ? List.of() : party.nameWords(),
                given.parsed("phone", ListParameters::phone),
                given.parsed("platform", ListParameters::uuid),
                pixKeys == null ? Set.of() : pixKeys,
                initial == null ? null : initial.atStartOfDay(zone).toInstant(),
                last == null ? null : last.plusDays(1).atStartOfDay(zone).toInstant(),
                after,
                page == null ? 1 : page);
        given.orThrow();
        return query;
    }

    /** Whether at most one transaction can match. */
    boolean isSingle() {
        return identifier != null || reference != null;
    }

    /** The filters as terms, without identifier, reference and dates. Words of a name, a document and so on are search tokens. */
    Filter filter(Tenant tenant) {
        List<Term> terms = new ArrayList<>();
        if (status != null) {
            terms.add(Term.status(status));
        }
        if (document != null) {
            terms.add(Term.token(SearchTokens.document(document)));
        }
        if (phone != null) {
            terms.add(Term.token(SearchTokens.phone(phone)));
        }
        if (platform != null) {
            terms.add(Term.token(SearchTokens.platform(platform)));
        }
        if (!pixKeys.isEmpty()) {
            terms.add(Term.anyToken(pixKeys.stream().map(SearchTokens::pixKey).toList()));
        }
        nameWords.forEach(word -> terms.add(Term.token(SearchTokens.nameWord(word))));
        return new Filter(tenant, terms);
    }

    /** Whether all filters apply to the transaction. */
    boolean matches(Tenant tenant, Transaction transaction) {
        return filter(tenant).matches(transaction)
                && span().contains(transaction.id())
                && (identifier == null || identifier.equals(transaction.id()))
                && (reference == null || reference.equals(transaction.terms().reference()));
    }

    /** The ids of the requested dates. */
    Span span() {
        Span since = from == null ? Span.ALL : Span.ALL.fromMillis(from.toEpochMilli());
        return before == null ? since : since.beforeMillis(before.toEpochMilli());
    }

    private static Set<String> pixKeys(String text) {
        Set<String> forms = new LinkedHashSet<>();
        for (PixKey.Type type : PixKey.Type.values()) {
            try {
                forms.add(PixKey.parse(type, text).value());
            } catch (IllegalArgumentException notOfThisType) {
                // the text may be a key of another type
            }
        }
        if (forms.isEmpty()) {
            throw new IllegalArgumentException("expected a Pix key: a CPF, a CNPJ, a phone, an e-mail or an EVP");
        }
        return forms;
    }
}
