package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.Phone;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The filters and the page of a list request. Filters are combined with AND; an unused one is null or empty.
 *
 * @param nameWords words of the payer's name, all of which must match
 * @param amountMin the lowest amount
 * @param amountMax the highest amount
 * @param pixKeys the normal forms that the key may have, one of which must match: digits may be a CPF or a phone
 * @param from the earliest time of creation; null for no bound
 * @param before the end of the time of creation, exclusive; null for no bound
 * @param after only older transactions than this one are shown, which need not exist; null: the page is found by its number
 * @param page from 1
 */
public record ListQuery(
        @Nullable TransactionId identifier,
        @Nullable String reference,
        @Nullable EndToEndId endToEndId,
        @Nullable UUID refund,
        @Nullable Operation operation,
        @Nullable Status status,
        @Nullable String document,
        List<String> nameWords,
        @Nullable String phone,
        @Nullable UUID platform,
        Set<String> pixKeys,
        @Nullable Amount amountMin,
        @Nullable Amount amountMax,
        @Nullable Instant from,
        @Nullable Instant before,
        @Nullable TransactionId after,
        int page) {

    private static final Set<String> FILTERS = Set.of(
            "identifier",
            "reference",
            "e2e_id",
            "refund_id",
            "operation",
            "status",
            "name_document",
            "phone",
            "initial_date",
            "final_date",
            "platform",
            "pix_key",
            "amount_min",
            "amount_max");

    private static final Set<String> KNOWN =
            Stream.concat(FILTERS.stream(), Stream.of("after", "page")).collect(Collectors.toUnmodifiableSet());

    static final int PAGE_MAX = 999_999_999;

    private static final int REFERENCE_MAX = 50;
    private static final int UUID_VERSION = 7;
    private static final int YEAR_MIN = 1970;
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    /**
     * Parses query parameters. An empty value counts as absent.
     *
     * @param zone the time zone of the dates
     * @throws Problem 422 with every unknown, repeated or malformed parameter
     */
    static ListQuery parse(MultiValueMap<String, String> parameters, ZoneId zone) {
        return parse(new QueryParameters(parameters, KNOWN), zone);
    }

    /** As {@link #parse}, of a request that has no pages. */
    public static ListQuery parseFilters(MultiValueMap<String, String> parameters, ZoneId zone) {
        return parse(new QueryParameters(parameters, FILTERS), zone);
    }

    private static ListQuery parse(QueryParameters given, ZoneId zone) {
        NameOrDocument party = given.parsed("name_document", ListQuery::nameOrDocument);
        LocalDate initial = given.parsed("initial_date", ListQuery::date);
        LocalDate last = given.parsed("final_date", ListQuery::date);
        if (initial != null && last != null && initial.isAfter(last)) {
            given.reject("initial_date", "expected a date that is not after final_date");
        }
        Set<String> pixKeys = given.parsed("pix_key", ListQuery::pixKeys);
        Amount amountMin = given.parsed("amount_min", Fields::amount);
        Amount amountMax = given.parsed("amount_max", Fields::amount);
        if (amountMin != null && amountMax != null && amountMin.cents() > amountMax.cents()) {
            given.reject("amount_min", "expected an amount that is not above amount_max");
        }
        TransactionId after = given.parsed("after", ListQuery::after);
        int page = given.number("page", 1, PAGE_MAX, 1);
        ListQuery query = new ListQuery(
                given.parsed("identifier", text -> new TransactionId(Fields.uuid(text))),
                given.parsed("reference", ListQuery::reference),
                given.parsed("e2e_id", EndToEndId::new),
                given.parsed("refund_id", Fields::uuid),
                given.parsed("operation", ListQuery::operation),
                given.parsed("status", ListQuery::status),
                party == null ? null : party.document(),
                party == null ? List.of() : party.nameWords(),
                given.parsed("phone", ListQuery::phone),
                given.parsed("platform", Fields::uuid),
                pixKeys == null ? Set.of() : pixKeys,
                amountMin,
                amountMax,
                initial == null ? null : initial.atStartOfDay(zone).toInstant(),
                last == null ? null : last.plusDays(1).atStartOfDay(zone).toInstant(),
                after,
                page);
        given.orThrow();
        return query;
    }

    boolean isSingle() {
        return identifier != null || reference != null || endToEndId != null || refund != null;
    }

    /**
     * The filters as terms, without identifier, reference, end-to-end id, refund and dates. Words of a name, a document and so on are
     * search tokens.
     */
    Filter filter(Tenant tenant) {
        List<Term> terms = new ArrayList<>();
        if (operation != null || amountMin != null || amountMax != null) {
            terms.add(new Filter.OfFields(operation, amountMin, amountMax));
        }
        if (status != null) {
            terms.add(new Filter.OfStatus(status));
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
        nameWords.forEach(word -> terms.add(Term.anyToken(SearchTokens.nameWordForms(word))));
        return new Filter(tenant, terms);
    }

    boolean matches(Tenant tenant, Transaction transaction) {
        return filter(tenant).matches(transaction)
                && span().contains(transaction.id())
                && (identifier == null || identifier.equals(transaction.id()))
                && (reference == null || reference.equals(transaction.terms().reference()))
                && (endToEndId == null || endToEndId.value().equals(transaction.endToEndId()))
                && (refund == null
                        || transaction.history().refunds().stream()
                                .anyMatch(one -> one.id().value().equals(refund)));
    }

    Span span() {
        Span since = from == null ? Span.ALL : Span.ALL.fromMillis(from.toEpochMilli());
        return before == null ? since : since.beforeMillis(before.toEpochMilli());
    }

    /** The id of a row as lists show it. */
    private static TransactionId after(String text) {
        return TransactionId.parse(text)
                .filter(id -> id.value().version() == UUID_VERSION)
                .orElseThrow(() -> new IllegalArgumentException("expected the id of a transaction"));
    }

    private static String reference(String text) {
        if (text.codePointCount(0, text.length()) > REFERENCE_MAX) {
            throw new IllegalArgumentException("expected at most " + REFERENCE_MAX + " characters");
        }
        return text;
    }

    private static Operation operation(String text) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.code().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected cashin or cashout"));
    }

    private static Status status(String text) {
        return Codes.find(Status.class, text)
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + Arrays.stream(Status.values()).map(Status::code).toList()));
    }

    private static NameOrDocument nameOrDocument(String text) {
        try {
            return new NameOrDocument(TaxId.parse(text).value(), List.of());
        } catch (IllegalArgumentException notADocument) {
            List<String> words = SearchTokens.words(text).stream().distinct().toList();
            if (words.isEmpty()) {
                throw new IllegalArgumentException("expected a CPF, a CNPJ or words of a name");
            }
            return new NameOrDocument(null, words);
        }
    }

    private static String phone(String text) {
        return Phone.parse(text).value();
    }

    /** A date of the form {@code YYYY-MM-DD}. */
    public static LocalDate date(String text) {
        try {
            if (DATE.matcher(text).matches() && Year.parse(text.substring(0, 4)).getValue() >= YEAR_MIN) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException noSuchDay) {
            // same message as for a date in another form
        }
        throw new IllegalArgumentException("expected a date of the form YYYY-MM-DD, from 1970 on");
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

    /** A complete document, otherwise whole words of a name. */
    private record NameOrDocument(@Nullable String document, List<String> nameWords) {}
}
