package dev.ligeiro.infra.launcher.documents;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.Yaml;

/**
 * An alert of {@code infra/prometheus/alerts.yml}.
 *
 * @param pauses whether it fires only after the expression has been true for some time ("for")
 */
record Alert(String name, String expression, boolean pauses, String severity, Map<String, String> annotations) {

    static final String FILE = "infra/prometheus/alerts.yml";

    static List<Alert> all() {
        return list(new Yaml().<Map<String, Object>>load(Checkout.read(FILE)), "groups").stream()
                .flatMap(group -> list(group, "rules").stream())
                .map(Alert::of)
                .toList();
    }

    private static Alert of(Map<String, Object> rule) {
        return new Alert(
                text(rule, "alert"),
                text(rule, "expr"),
                rule.containsKey("for"),
                strings(rule, "labels").getOrDefault("severity", ""),
                strings(rule, "annotations"));
    }

    private static String text(Map<String, Object> rule, String name) {
        return Objects.requireNonNull(rule.get(name), name).toString();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> strings(Map<String, Object> rule, String name) {
        return (Map<String, String>) Objects.requireNonNull(rule.get(name), name);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> node, String name) {
        return (List<Map<String, Object>>) Objects.requireNonNull(node.get(name), name);
    }
}
