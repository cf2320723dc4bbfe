package dev.ligeiro.infra.launcher.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The runbooks and the operators' other pages: each page is listed, has the same parts, and its links lead somewhere. */
class RunbooksTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path RUNBOOKS = ROOT.resolve("infra/docs/runbooks");
    private static final String INDEX = "README.md";

    private static final Pattern LINK = Pattern.compile("\\[[^\\]\\n]+]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    static List<Path> runbooks() throws IOException {
        try (Stream<Path> pages = Files.list(RUNBOOKS)) {
            return pages.filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    static Stream<Path> pages() throws IOException {
        Stream<Path> others = Stream.of(
                        "README.md",
                        "gateway/README.md",
                        "processor/README.md",
                        "webhook-dispatcher/README.md",
                        "infra/docs/COMPATIBILITY.md",
                        "infra/docs/CHANGELOG.md")
                .map(ROOT::resolve);
        return Stream.concat(runbooks().stream(), others);
    }

    @Test
    void eachPageIsListed() throws IOException {
        Set<String> listed = links(RUNBOOKS.resolve(INDEX)).collect(Collectors.toSet());
        Set<String> written = runbooks().stream()
                .map(page -> page.getFileName().toString())
                .filter(Predicate.not(INDEX::equals))
                .collect(Collectors.toSet());

        assertThat(listed).containsAll(written);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void eachLinkLeadsSomewhere(Path page) throws IOException {
        assertThat(links(page).filter(link -> !link.startsWith("https://")).filter(link -> !exists(page, link)))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("runbooks")
    void eachRunbookHasTheSameParts(Path page) throws IOException {
        if (page.endsWith(INDEX)) {
            return;
        }
        assertThat(Files.readString(page))
                .contains("First the lines of [README.md](README.md)")
                .containsSubsequence("\n## What one sees\n", "\n## What it means", "\n## When it is over\n")
                .doesNotContain("OUTPUT");
    }

    private static boolean exists(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(Path page) {
        return HEADING.matcher(text(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static Stream<String> links(Path page) {
        return LINK.matcher(text(page)).results().map((MatchResult link) -> link.group(1));
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
