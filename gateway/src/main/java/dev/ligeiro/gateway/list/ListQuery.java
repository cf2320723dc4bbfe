package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.http.QueryParameters;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The filters and the page number of a list request. Filters are combined with AND; an unused one is null or empty.
 *
 * @param nameWords words of the payer's name, all of which must match
 * @param pixKeys the normal forms that the key may have, one of which must match: digits may be a CPF or a phone
 * @param from the earliest time of creation; null for no bound
 * @param before the end of the time of creation, exclusive; null for no bound
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
        int page) {

    static final int PAGE_SIZE = 100;

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
        NameOrDocument party = given.parsed("name_document", NameOrDocument::parse);
        LocalDate initial = given.parsed("initial_date", ListParameters::date);
        LocalDate last = given.parsed("final_date", ListParameters::date);
        if (initial != null && last != null && initial.isAfter(last)) {
            given.reject("initial_date", "expected a date that is not after final_date");
        }
        Set<String> pixKeys = given.parsed("pix_key", ListQuery::pixKeys);
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
                page == null ? 1 : page);
        given.orThrow();
        return query;
    }

    /** Whether at most one transaction can match. */
    boolean isSingle() {
        return identifier != null || reference != null;
    }

    /** Whether a filter uses search tokens. */
    boolean isSearch() {
        return document != null || phone != null || platform != null || !nameWords.isEmpty() || !pixKeys.isEmpty();
    }

    /** The same filters with page 1: equal for all pages of one list. */
    ListQuery firstPage() {
        return new ListQuery(
                identifier, reference, status, document, nameWords, phone, platform, pixKeys, from, before, 1);
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
