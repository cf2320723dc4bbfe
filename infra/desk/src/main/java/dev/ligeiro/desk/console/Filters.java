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
        Map<String, String> given = new LinkedHashMap<>(query);
        given.keySet().retainAll(names);
        given.values().removeIf(String::isBlank);
        given.replaceAll((name, value) -> value.strip());
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

    Filters without(String name) {
        Map<String, String> others = new LinkedHashMap<>(given);
        others.remove(name);
        return new Filters(others);
    }
}
