package dev.ligeiro.infra.standalone.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code demo.env} as it is at this moment, read as a shell reads it. */
record Environment(Map<String, String> values) {

    static final String GATEWAY = "GATEWAY_PID";
    static final String PROCESSOR = "PROCESSOR_PID";
    static final String WEBHOOK_DISPATCHER = "WEBHOOK_DISPATCHER_PID";
    static final String KAFKA = "KAFKA_PID";
    static final String MONGOD = "MONGOD_PID";
    static final List<String> SERVICES = List.of(GATEWAY, PROCESSOR, WEBHOOK_DISPATCHER);

    static Environment read(Path file) {
        try {
            return new Environment(Files.readAllLines(file).stream()
                    .map(line -> line.split("=", 2))
                    .collect(Collectors.toMap(parts -> parts[0], parts -> unquoted(parts[1]))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String unquoted(String value) {
        return value.startsWith("\"") ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1") : value;
    }

    String get(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new AssertionError("demo.env has no " + name);
        }
        return value;
    }

    /** The pids that a variable lists. */
    List<Long> pids(String name) {
        return Arrays.stream(get(name).split(" ")).map(Long::valueOf).toList();
    }

    /** The one pid of a variable. */
    long pid(String name) {
        return Long.parseLong(get(name));
    }

    /** Every process but the launcher. */
    List<Long> allPids() {
        return Stream.concat(SERVICES.stream(), Stream.of(KAFKA, MONGOD))
                .flatMap(name -> pids(name).stream())
                .toList();
    }
}
