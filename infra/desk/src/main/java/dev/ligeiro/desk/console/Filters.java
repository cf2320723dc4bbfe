package dev.ligeiro.desk.console;

import dev.ligeiro.desk.page.Frame;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The filters of a list, under the names that the API gives them. Those that are empty are left out. */
public record Filters(Map<String, String> given) {

    /** @param names those that the list has */
    static Filters of(Map<String, String> query, List<String> names) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String name : names) {
            String value = query.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                given.put(name, value);
            }
        }
        return new Filters(given);
    }

    /** Empty without it. */
    public String get(String name) {
        return given.getOrDefault(name, "");
    }

    public boolean hasAny(List<String> names) {
        return names.stream().anyMatch(given::containsKey);
    }

    /** The query of a link to the list. */
    public String query() {
        return given.entrySet().stream()
                .map(filter -> filter.getKey() + "=" + Frame.encoded(filter.getValue()))
                .collect(Collectors.joining("&"));
    }

    Filters without(String... names) {
        Map<String, String> others = new LinkedHashMap<>(given);
        List.of(names).forEach(others::remove);
        return new Filters(others);
    }
}
