package dev.ligeiro.infra.launcher.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The README of each service lists its log lines by {@code event.action}, and no others. */
class LogLinesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path SHARED = ROOT.resolve("infra/service-support");

    /** The first column of a row; {@code NAME} finds each name in it. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[a-z_]+`(?:, `[a-z_]+`)*) \\|");

    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");
    private static final Pattern LOGGED = Pattern.compile("\"event\\.action\", \"([a-z_]+)\"");

    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void theReadmeListsTheLogLinesOfTheService(ServiceKind kind) throws IOException {
        Path module = ROOT.resolve(kind.module());
        String code = code(module);
        String known = code + code(SHARED);
        Set<String> listed = names(NAME, names(ROW, logLines(module)).toString());

        assertThat(listed).containsAll(names(LOGGED, code));
        assertThat(listed).allMatch(name -> known.contains('"' + name + '"'));
    }

    private static String logLines(Path module) throws IOException {
        String page = Files.readString(module.resolve("README.md"));
        return page.substring(page.indexOf("\n## Log lines\n"));
    }

    private static String code(Path module) throws IOException {
        StringBuilder code = new StringBuilder();
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                code.append(Files.readString(file));
            }
        }
        return code.toString();
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
