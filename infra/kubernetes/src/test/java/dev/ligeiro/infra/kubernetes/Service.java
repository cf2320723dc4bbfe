package dev.ligeiro.infra.kubernetes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** One of the services: what its code says, and its parts of an overlay. */
enum Service {
    /** Its stop has two phases of waiting after the drain time: running requests, then the queued commands. */
    GATEWAY("gateway", 2),
    PROCESSOR("processor", 1),
    /** Its stop has two phases of waiting: the running attempts, then the batch. */
    WEBHOOK_DISPATCHER("webhook-dispatcher", 2),
    DESK("infra/desk", 1);

    /** A setting without a default is a comment, such as {@code # admin-token:}. */
    private static final Pattern SETTING_WITHOUT_DEFAULT = Pattern.compile("(?m)^(\\s*)# ([a-z-]+):\\s*$");

    private final String folder;
    private final int stopPhases;

    Service(String folder, int stopPhases) {
        this.folder = folder;
        this.stopPhases = stopPhases;
    }

    String module() {
        return folder.substring(folder.lastIndexOf('/') + 1);
    }

    /** Of its module in the checkout. */
    Path folder() {
        return Yaml.ROOT.resolve(folder);
    }

    /** Where health and metrics are; the desk has them beside its API. */
    int managementPort() {
        return Integer.parseInt(setting(this == DESK ? "server.port" : "management.server.port"));
    }

    /** The longest regular stop. */
    Duration stopMax() {
        String phase = setting("spring.lifecycle.timeout-per-shutdown-phase");
        Duration drain = Duration.parse("PT" + settings().getOrDefault("ligeiro.http.drain-time", "0s"));
        return Duration.parse("PT" + phase).multipliedBy(stopPhases).plus(drain);
    }

    String setting(String key) {
        String value = settings().get(key);
        if (value == null) {
            throw new AssertionError(folder + " has no setting " + key);
        }
        return value;
    }

    /** Whether an environment variable sets something that its {@code application.yml} explains; underscores do not count. */
    boolean reads(String variable) {
        return settings().keySet().stream()
                .map(key -> key.replaceAll("[.-]", "").toUpperCase(Locale.ROOT))
                .anyMatch(variable.replace("_", "")::equals);
    }

    private TreeMap<String, String> settings() {
        TreeMap<String, String> settings = new TreeMap<>();
        for (String file : this == DESK ? List.of("merchant-console", "application") : List.of("application")) {
            String text = Yaml.text(folder().resolve("src/main/resources/" + file + ".yml"));
            Matcher withoutDefault = SETTING_WITHOUT_DEFAULT.matcher(text);
            Yaml.flatten("", Yaml.documents(withoutDefault.replaceAll("$1$2:")).get(0), settings::put);
        }
        return settings;
    }

    JsonNode deployment(Overlay overlay) {
        return overlay.only("Deployment", module());
    }

    JsonNode pod(Overlay overlay) {
        return deployment(overlay).at("/spec/template/spec");
    }

    JsonNode container(Overlay overlay) {
        return pod(overlay).at("/containers/0");
    }

    /** The names of its environment variables, also those from config maps. */
    Set<String> variables(Overlay overlay) {
        Set<String> names = new TreeSet<>();
        container(overlay)
                .path("env")
                .forEach(variable -> names.add(variable.path("name").asString()));
        for (JsonNode map : configMaps(overlay)) {
            names.addAll(map.path("data").propertyNames());
        }
        return names;
    }

    /** The value of a variable from a config map. */
    String configured(Overlay overlay, String variable) {
        return configMaps(overlay).stream()
                .map(map -> map.path("data").path(variable).asString())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private List<JsonNode> configMaps(Overlay overlay) {
        List<JsonNode> maps = new ArrayList<>();
        for (JsonNode source : container(overlay).path("envFrom")) {
            maps.add(overlay.only("ConfigMap", source.at("/configMapRef/name").asString()));
        }
        return maps;
    }
}
