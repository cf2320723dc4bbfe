package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.list.fill.Fill;
import dev.ligeiro.transaction.Status;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
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
 */
record ListFilter(String label, Map<String, String> parameters, Predicate<ListRow> condition) {

    static final ListFilter NONE = new ListFilter("none", Map.of(), row -> true);

    private static ListFilter of(String label, String parameter, String value, Predicate<ListRow> condition) {
        return new ListFilter(label, Map.of(parameter, value), condition);
    }

    static ListFilter status(Status status) {
        return of("status", "status", status.code(), row -> row.status() == status);
    }

    static ListFilter platform(UUID platform) {
        return of("platform", "platform", platform.toString(), row -> platform.equals(row.platform()));
    }

    static ListFilter document(String document) {
        return of("document", "name_document", document, row -> document.equals(row.document()));
    }

    static ListFilter phone(String phone) {
        return of("phone", "phone", phone, row -> phone.equals(row.phone()));
    }

    static ListFilter pixKey(String pixKey) {
        return of("pix key", "pix_key", pixKey, row -> pixKey.equals(row.pixKey()));
    }

    /** @param words of a name, with a space between two */
    static ListFilter name(String label, String words) {
        List<String> all = NameWords.of(words);
        return of(label, "name_document", words, row -> row.name().containsAll(all));
    }

    /** The days of creation, both included. */
    static ListFilter days(String label, LocalDate first, LocalDate last) {
        long from = milli(first);
        long before = milli(last.plusDays(1));
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("initial_date", first.toString());
        parameters.put("final_date", last.toString());
        return new ListFilter(label, parameters, row -> row.createdMilli() >= from && row.createdMilli() < before);
    }

    private static long milli(LocalDate day) {
        return day.atStartOfDay(Fill.ZONE).toInstant().toEpochMilli();
    }

    /** Whether both can be in one request. */
    boolean combinesWith(ListFilter other) {
        return parameters.keySet().stream().noneMatch(other.parameters::containsKey);
    }

    ListFilter and(ListFilter other) {
        Map<String, String> both = new LinkedHashMap<>(parameters);
        both.putAll(other.parameters);
        String labels = label.equals("none") ? other.label : label + ", " + other.label;
        return new ListFilter(labels, both, condition.and(other.condition));
    }

    boolean matches(ListRow row) {
        return condition.test(row);
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
