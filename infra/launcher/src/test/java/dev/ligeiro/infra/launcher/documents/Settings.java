package dev.ligeiro.infra.launcher.documents;

import dev.ligeiro.infra.launcher.ServiceKind;
import dev.ligeiro.infra.launcher.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings under {@code ligeiro} in each service's application.yml, with the comment above each. {@code # key:} is a setting without a
 * default.
 */
final class Settings {

    private static final Pattern KEY = Pattern.compile("( *)(# )?([a-z][a-z0-9.-]*):(?: (.*))?");
    private static final Pattern COMMENT = Pattern.compile(" *# ?(.*)");

    private Settings() {}

    /** A key of the YAML file, either a setting or the name of a group of settings. */
    private record Key(int indent, String name, String value, boolean withoutDefault, String comment) {

        boolean isGroup(Key next) {
            return !withoutDefault && value.isEmpty() && next.indent > indent;
        }
    }

    record Setting(String name, String comment) {

        String variable() {
            return name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
        }
    }

    /** The names of all services' settings, as variables and as keys. */
    static Set<String> names() {
        Set<String> names = new TreeSet<>();
        for (ServiceKind kind : ServiceKind.values()) {
            of(kind).forEach(setting -> {
                names.add(setting.name());
                names.add(setting.variable());
            });
        }
        return names;
    }

    static List<Setting> of(ServiceKind kind) {
        List<Key> keys = Yaml.files(kind).stream()
                .flatMap(file -> keys(Checkout.read(file)).stream())
                .toList();
        List<Setting> settings = new ArrayList<>();
        List<Key> path = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            path.removeIf(group -> group.indent >= key.indent);
            path.add(key);
            if (i + 1 == keys.size() || !key.isGroup(keys.get(i + 1))) {
                String name = String.join(".", path.stream().map(Key::name).toList());
                settings.add(new Setting("ligeiro." + name, key.comment));
            }
        }
        return settings;
    }

    private static List<Key> keys(String yaml) {
        List<Key> keys = new ArrayList<>();
        List<String> comment = new ArrayList<>();
        List<String> lines = yaml.lines()
                .dropWhile(line -> !line.equals("ligeiro:"))
                .skip(1)
                .takeWhile(line -> line.isEmpty() || line.startsWith(" "))
                .toList();
        for (String line : lines) {
            Matcher key = KEY.matcher(line);
            Matcher text = COMMENT.matcher(line);
            if (key.matches() && (key.group(2) == null || key.group(4) == null)) {
                String value = key.group(4) == null ? "" : key.group(4);
                boolean withoutDefault = key.group(2) != null;
                keys.add(
                        new Key(key.group(1).length(), key.group(3), value, withoutDefault, String.join(" ", comment)));
                comment.clear();
            } else if (text.matches()) {
                comment.add(text.group(1));
            }
        }
        return keys;
    }
}
