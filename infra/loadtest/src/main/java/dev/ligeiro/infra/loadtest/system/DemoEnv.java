package dev.ligeiro.infra.loadtest.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What {@code infra/run} says of the system that it runs, in {@code demo.env}: shell assignments, one a line. */
public record DemoEnv(Map<String, String> values) {

    public DemoEnv {
        values = Map.copyOf(values);
    }

    public static DemoEnv read(Path file) {
        try {
            return parse(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    static DemoEnv parse(List<String> lines) {
        Map<String, String> values = new HashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), unquoted(line.substring(equals + 1)));
            }
        }
        return new DemoEnv(values);
    }

    /** @throws CannotRunException when it is not there */
    public String get(String name) {
        String value = values.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw new CannotRunException("demo.env says nothing of " + name);
        }
        return value;
    }

    /** The pids under this name, none for a process that is not ours. */
    public List<Long> pids(String name) {
        return Stream.of(values.getOrDefault(name, "").split(" "))
                .filter(pid -> !pid.isEmpty())
                .map(Long::valueOf)
                .toList();
    }

    /** Undoes what POSIX shells do within double quotes. */
    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1).replaceAll("\\\\([\"\\\\$`])", "$1") : value;
    }

    /** Without the values: a key and a token are among them. */
    @Override
    public String toString() {
        return "DemoEnv" + values.keySet();
    }
}
