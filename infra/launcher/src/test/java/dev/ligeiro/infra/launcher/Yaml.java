package dev.ligeiro.infra.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checkout's YAML files, flattened: {@code a: {b: [x]}} is {@code a.b.0=x}. */
public final class Yaml {

    private static final Path ROOT = Path.of("..", "..");

    /** A setting without a default is a comment, such as {@code # admin-token:}. */
    private static final Pattern SETTING_WITHOUT_DEFAULT = Pattern.compile("(?m)^(\\s*)# ([a-z-]+):\\s*$");

    private Yaml() {}

    static Map<String, String> compose() {
        return flatten(read(ROOT.resolve("docker-compose.yml")));
    }

    static Map<String, String> prometheus() {
        return flatten(read(ROOT.resolve("infra/prometheus/prometheus.yml")));
    }

    /** Of a cluster with TLS and authentication. */
    static Map<String, String> overlay() {
        return flatten(read(ROOT.resolve("infra/kubernetes/overlays/strimzi-mck/kustomization.yaml")));
    }

    static Map<String, String> settingsOf(ServiceKind kind) {
        Map<String, String> settings = new HashMap<>();
        for (String file : files(kind)) {
            Matcher withoutDefault = SETTING_WITHOUT_DEFAULT.matcher(read(ROOT.resolve(file)));
            settings.putAll(flatten(withoutDefault.replaceAll("$1$2:")));
        }
        return settings;
    }

    /** With the settings of the service. The desk has a second one, of the merchants' console. */
    public static List<String> files(ServiceKind kind) {
        String resources = kind.folder() + "/src/main/resources/";
        return kind == ServiceKind.DESK
                ? List.of(resources + "merchant-console.yml", resources + "application.yml")
                : List.of(resources + "application.yml");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> flatten(String text) {
        Map<String, String> flat = new HashMap<>();
        flatten("", new org.yaml.snakeyaml.Yaml().load(text), flat);
        return flat;
    }

    private static void flatten(String prefix, Object node, Map<String, String> flat) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> flatten(prefix.isEmpty() ? "" + key : prefix + "." + key, value, flat));
        } else if (node instanceof Iterable<?> list && list.iterator().hasNext()) {
            int index = 0;
            for (Object item : list) {
                flatten(prefix + "." + index++, item, flat);
            }
        } else {
            flat.put(prefix, String.valueOf(node));
        }
    }
}
