package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.MerchantHistory;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filters of a list request: what the gateway is asked, and the same as a condition on a stored transaction.
 *
 * @param label such as {@code status, day}
 * @param parameters of the request
 */
record ListFilter(String label, Map<String, String> parameters, Predicate<Transaction> condition) {

    private static final int DAYS_OF_A_MONTH = 30;
    private static final int DRAWS = 5_000;
    static final ListFilter NONE = new ListFilter("none", Map.of(), any -> true);

    /**
     * No filter, each filter, and each pair that one request can have, with values of the merchant's transactions, so that almost all of them
     * match some.
     */
    static List<ListFilter> grid(MerchantHistory history) {
        List<ListFilter> singles = singles(history);
        List<ListFilter> grid = new ArrayList<>(List.of(NONE));
        grid.addAll(singles);
        for (int i = 0; i < singles.size(); i++) {
            for (ListFilter other : singles.subList(i + 1, singles.size())) {
                if (singles.get(i).combinesWith(other)) {
                    grid.add(singles.get(i).and(other));
                }
            }
        }
        return grid;
    }

    private static List<ListFilter> singles(MerchantHistory history) {
        UUID platform = history.sample().terms().platform();
        LocalDate first = LocalDate.ofInstant(history.from(), MerchantHistory.ZONE);
        LocalDate day = first.plusDays(history.days() / 2);
        Terms terms = typical(history, platform).terms();
        return List.of(
                status(Status.PAID),
                platform(platform),
                name("common name", "Maria"),
                name("two names", "José Silva"),
                document(terms.payer().document()),
                phone(terms.payer().phone()),
                pixKey(Objects.requireNonNull(terms.pixKey()).value()),
                days("day", day, day),
                days("month", first, first.plusDays(Math.min(history.days(), DAYS_OF_A_MONTH) - 1)));
    }

    /** A transaction that most of the filters match; in a small history, any one with a Pix key. */
    private static Transaction typical(MerchantHistory history, UUID platform) {
        RandomGenerator random = new SplittableRandom(1);
        List<Transaction> withKey = Stream.generate(() -> history.get(random.nextLong(history.count())))
                .limit(DRAWS)
                .filter(ListFilter::hasClearKey)
                .toList();
        return withKey.stream()
                .filter(transaction -> transaction.status() == Status.PAID
                        && transaction.terms().platform().equals(platform)
                        && transaction.terms().payer().name().startsWith("Maria "))
                .findFirst()
                .or(() -> withKey.stream().findFirst())
                .orElseThrow(() -> new CannotRunException("--stored: too few transactions"));
    }

    /** Whether the type of its Pix key is clear from the key: digits alone may be a CPF or a phone. */
    private static boolean hasClearKey(Transaction transaction) {
        PixKey key = transaction.terms().pixKey();
        return key != null && key.type() != PixKey.Type.CPF && key.type() != PixKey.Type.CNPJ;
    }

    private static ListFilter of(String label, String parameter, String value, Predicate<Transaction> condition) {
        return new ListFilter(label, Map.of(parameter, value), condition);
    }

    static ListFilter status(Status status) {
        return of("status", "status", status.code(), transaction -> transaction.status() == status);
    }

    static ListFilter platform(UUID platform) {
        return of(
                "platform",
                "platform",
                platform.toString(),
                transaction -> platform.equals(transaction.terms().platform()));
    }

    static ListFilter document(String document) {
        return of(
                "document",
                "name_document",
                document,
                transaction -> document.equals(transaction.terms().payer().document()));
    }

    static ListFilter phone(String phone) {
        return of(
                "phone",
                "phone",
                phone,
                transaction -> phone.equals(transaction.terms().payer().phone()));
    }

    static ListFilter pixKey(String value) {
        return of("pix key", "pix_key", value, transaction -> {
            PixKey key = transaction.terms().pixKey();
            return key != null && key.value().equals(value);
        });
    }

    /** @param words of a name, with a space between two */
    static ListFilter name(String label, String words) {
        List<String> all = SearchTokens.words(words);
        return of(label, "name_document", words, transaction -> SearchTokens.words(
                        transaction.terms().payer().name())
                .containsAll(all));
    }

    /** The days of creation, both included. */
    static ListFilter days(String label, LocalDate first, LocalDate last) {
        Instant from = first.atStartOfDay(MerchantHistory.ZONE).toInstant();
        Instant to = last.plusDays(1).atStartOfDay(MerchantHistory.ZONE).toInstant();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("initial_date", first.toString());
        parameters.put("final_date", last.toString());
        return new ListFilter(
                label,
                parameters,
                transaction -> !transaction.createdAt().isBefore(from)
                        && transaction.createdAt().isBefore(to));
    }

    /** Whether both can be in one request. */
    private boolean combinesWith(ListFilter other) {
        return parameters.keySet().stream().noneMatch(other.parameters::containsKey);
    }

    ListFilter and(ListFilter other) {
        Map<String, String> both = new LinkedHashMap<>(parameters);
        both.putAll(other.parameters);
        String labels = label.equals("none") ? other.label : label + ", " + other.label;
        return new ListFilter(labels, both, condition.and(other.condition));
    }

    boolean matches(Transaction transaction) {
        return condition.test(transaction);
    }

    /** @param page from 1 */
    String path(long page) {
        String query = parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", "?", parameters.isEmpty() ? "" : "&"));
        return MerchantApi.TRANSACTIONS_PATH + query + "page=" + page;
    }

    /** Without the values, some of which are personal data. */
    @Override
    public String toString() {
        return label;
    }
}
