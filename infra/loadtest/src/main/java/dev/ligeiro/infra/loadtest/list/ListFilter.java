package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.list.fill.Fill;
import dev.ligeiro.transaction.Status;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The filters of a list request: what the gateway is asked, and the same as a condition on a stored transaction.
 *
 * @param label such as {@code status, day}
 * @param parameters of the request
 * @param conditions of which each must hold
 */
record ListFilter(String label, Map<String, String> parameters, List<Predicate<RowWords>> conditions) {

    static final ListFilter NONE = new ListFilter("none", Map.of(), List.of());

    private static ListFilter of(String label, String parameter, String value, Predicate<RowWords> condition) {
        return new ListFilter(label, Map.of(parameter, value), List.of(condition));
    }

    static ListFilter status(Status status) {
        return of("status", "status", status.code(), row -> row.row().status() == status);
    }

    static ListFilter platform(UUID platform) {
        return of("platform", "platform", platform.toString(), row -> row.row()
                .platform()
                .equals(platform));
    }

    static ListFilter document(String document) {
        return of("document", "name_document", document, row -> row.row()
                .document()
                .equals(document));
    }

    static ListFilter phone(String phone) {
        return of("phone", "phone", phone, row -> row.row().phone().equals(phone));
    }

    static ListFilter pixKey(String pixKey) {
        return of("pix key", "pix_key", pixKey, row -> pixKey.equals(row.row().pixKey()));
    }

    /** @param words of a name, with a space between two */
    static ListFilter name(String label, String words) {
        List<String> all = RowWords.of(words);
        return of(label, "name_document", words, row -> row.words().containsAll(all));
    }

    /** The days of creation, both included. */
    static ListFilter days(String label, LocalDate first, LocalDate last) {
        long from = milli(first);
        long before = milli(last.plusDays(1));
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("initial_date", first.toString());
        parameters.put("final_date", last.toString());
        return new ListFilter(
                label,
                parameters,
                List.of(row -> row.row().createdMilli() >= from && row.row().createdMilli() < before));
    }

    private static long milli(LocalDate day) {
        Instant start = day.atStartOfDay(Fill.ZONE).toInstant();
        return start.toEpochMilli();
    }

    /** Whether both can be in one request. */
    boolean combinesWith(ListFilter other) {
        return parameters.keySet().stream().noneMatch(other.parameters::containsKey);
    }

    ListFilter and(ListFilter other) {
        Map<String, String> both = new LinkedHashMap<>(parameters);
        both.putAll(other.parameters);
        List<Predicate<RowWords>> all = new ArrayList<>(conditions);
        all.addAll(other.conditions);
        return new ListFilter(label.equals("none") ? other.label : label + ", " + other.label, both, all);
    }

    boolean matches(RowWords row) {
        for (Predicate<RowWords> condition : conditions) {
            if (!condition.test(row)) {
                return false;
            }
        }
        return true;
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
