package dev.ligeiro.infra.loadtest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads {@code --name value} and {@code --name=value}; what follows {@code --} is for {@code infra/run}. */
final class CommandLine {

    private static final String STARTUP = "startup";
    private static final int STARTUPS_USUAL = 5;

    private final Map<String, String> given = new LinkedHashMap<>();
    private final List<String> runOptions = new ArrayList<>();

    private CommandLine() {}

    /** @throws IllegalArgumentException naming the option that cannot be read */
    static Options parse(Path defaultOut, String... arguments) {
        CommandLine line = new CommandLine();
        line.read(arguments);
        return line.options(defaultOut);
    }

    private void read(String... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--")) {
                runOptions.addAll(List.of(arguments).subList(i + 1, arguments.length));
                return;
            }
            String[] nameAndValue = arguments[i].split("=", 2);
            if (nameAndValue[0].equals("--attach")) {
                given.put("--attach", "");
                continue;
            }
            if (!nameAndValue[0].startsWith("--") || nameAndValue.length == 1 && i + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[i] + ": unknown, or its value is missing; see --help");
            }
            given.put(nameAndValue[0], nameAndValue.length == 2 ? nameAndValue[1] : arguments[++i]);
        }
    }

    private Options options(Path defaultOut) {
        List<String> words = take("--scenario", CommandLine::words, List.of("create", "pay"));
        Options options = new Options(
                words.stream()
                        .filter(word -> !word.equals(STARTUP))
                        .map(Scenario::fromCode)
                        .toList(),
                take("--startups", Integer::valueOf, words.contains(STARTUP) ? STARTUPS_USUAL : 0),
                take("--home", home -> Optional.of(Path.of(home).toAbsolutePath()), Optional.empty()),
                given.remove("--attach") != null,
                take("--java-home", home -> Optional.of(Path.of(home).toAbsolutePath()), Optional.empty()),
                take("--out", Path::of, defaultOut),
                take("--warm", Integer::valueOf, Options.WARM_SECONDS_MIN),
                take("--settle", Integer::valueOf, 20),
                take("--seconds", Integer::valueOf, 20),
                take("--rate", CommandLine::numbers, List.of()),
                take("--percent", CommandLine::numbers, List.of(25.0, 50.0, 65.0, 80.0)),
                take("--connections", Integer::valueOf, 64),
                take("--unfinished", Integer::valueOf, 2048),
                take("--stored", Long::valueOf, 0L),
                List.copyOf(runOptions));
        given.keySet().stream().findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(name + ": unknown option; see --help");
        });
        return options;
    }

    private <T> T take(String name, Function<String, T> read, T otherwise) {
        String value = given.remove(name);
        try {
            return value == null ? otherwise : read.apply(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: a number)", e);
        }
    }

    private static List<String> words(String value) {
        return List.of(value.split(","));
    }

    private static List<Double> numbers(String value) {
        return Stream.of(value.split(",")).map(Double::valueOf).toList();
    }
}
