package dev.ligeiro.infra.standalone;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads {@code --name value} and {@code --name=value}; {@code usage.txt}, which {@code infra/run --help} prints, explains them. */
final class CommandLine {

    private final Map<String, String> given = new LinkedHashMap<>();

    private CommandLine() {}

    /** @throws CannotStartException naming the option that cannot be read */
    static Options parse(Path defaultHome, String... arguments) {
        CommandLine line = new CommandLine();
        line.read(arguments);
        return line.options(defaultHome);
    }

    private void read(String... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            String[] nameAndValue = arguments[i].split("=", 2);
            if (!nameAndValue[0].startsWith("--")) {
                throw new CannotStartException(arguments[i] + ": not an option; see --help");
            }
            if (nameAndValue.length == 1 && i + 1 == arguments.length) {
                throw new CannotStartException(arguments[i] + ": unknown, or its value is missing; see --help");
            }
            String value = nameAndValue.length == 2 ? nameAndValue[1] : arguments[++i];
            if (given.put(nameAndValue[0], value) != null) {
                throw new CannotStartException(nameAndValue[0] + ": given twice");
            }
        }
    }

    private Options options(Path defaultHome) {
        Options options = new Options(
                take("--home", Path::of, defaultHome).toAbsolutePath().normalize(),
                take("--gateway", Integer::valueOf, 1),
                take("--processor", Integer::valueOf, 1),
                take("--webhook-dispatcher", Integer::valueOf, 1),
                take("--port", Integer::valueOf, 8080),
                take("--management-port", Integer::valueOf, 8081),
                take("--kafka-port", Integer::valueOf, 9192),
                take("--mongodb-port", Integer::valueOf, 27117),
                take("--mongodb-cache-gb", Double::valueOf, 1.0),
                take("--mongodb-uri", CommandLine::mongodbUri, Optional.empty()),
                take("--kafka-bootstrap-servers", Optional::of, Optional.empty()));
        given.keySet().stream().findFirst().ifPresent(name -> {
            throw new CannotStartException(name + ": unknown option; see --help");
        });
        return options;
    }

    private <T> T take(String name, Function<String, T> read, T otherwise) {
        String value = given.remove(name);
        if (value == null) {
            return otherwise;
        }
        if (value.isBlank()) {
            throw new CannotStartException(name + ": its value is missing");
        }
        try {
            return read.apply(value);
        } catch (NumberFormatException e) {
            throw new CannotStartException("%s: %s (expected: a number)".formatted(name, value), e);
        }
    }

    private static Optional<String> mongodbUri(String uri) {
        if (!uri.startsWith("mongodb://") && !uri.startsWith("mongodb+srv://")) {
            throw new CannotStartException("--mongodb-uri: " + uri + " (expected: mongodb://...)");
        }
        return Optional.of(uri);
    }
}
