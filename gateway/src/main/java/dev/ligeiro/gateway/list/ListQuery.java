package dev.ligeiro.gateway.list;

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
 * What a caller asks of the list (specification §4.4): filters that combine with AND, each null or empty where it is not used,
 * and a page.
 *
 * @param nameWords words of the payer's name, all of which must match; empty when not used
 * @param pixKeys the normal forms a given key can have, one of which must match: digits may be a CPF or a phone
 * @param from creation at or after; null for no bound
 * @param before creation before; null for no bound
 * @param page from 1
 */
record ListQuery(
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
     * Reads the query's parameters. An empty value is as good as none.
     *
     * @param zone where days begin and end
     * @throws Problem 422 with every parameter that is unknown, repeated or malformed
     */
    static ListQuery parse(MultiValueMap<String, String> parameters, ZoneId zone) {
        ListParameters given = new ListParameters(parameters);
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

    /** Whether it is for one transaction at the most. */
    boolean isSingle() {
        return identifier != null || reference != null;
    }

    /** Whether it asks for something that is found by search tokens. */
    boolean isSearch() {
        return document != null || phone != null || platform != null || !nameWords.isEmpty() || !pixKeys.isEmpty();
    }

    /** The same query for page 1: what two pages of one list have in common. */
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
                // another type may fit
            }
        }
        if (forms.isEmpty()) {
            throw new IllegalArgumentException("expected a Pix key: a CPF, a CNPJ, a phone, an e-mail or an EVP");
        }
        return forms;
    }
}
