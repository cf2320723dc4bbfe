package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.StringUtils;
import org.springframework.web.util.HtmlUtils;

/** The guide says what the code does. */
class GuideTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final String GUIDE = new String(PageFile.bytes("/docs/guide.html"), StandardCharsets.UTF_8);

    @Test
    void theDiagramsShowEveryMove() {
        List<String> moves = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            for (Status from : Status.values()) {
                for (Status to : Transition.allowed(operation, from)) {
                    moves.add(operation.code() + " " + from.code() + " " + to.code());
                }
            }
        }
        assertThat(found("data-move=\"([^\"]*)\"")).containsExactlyInAnyOrderElementsOf(moves);
    }

    @Test
    void aFinalStatusHasADashedFrame() {
        assertThat(found("status final\"[^>]*/><text[^>]*>([a-z_]+)<"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Operation.values())
                        .flatMap(operation -> Stream.of(Status.values())
                                .filter(status -> isReached(operation, status))
                                .filter(status ->
                                        Transition.allowed(operation, status).isEmpty()))
                        .map(Status::code)
                        .toList());
    }

    @Test
    void theTableOfStatusesSaysTheMovesOfTheDiagrams() {
        assertThat(found("<tr><td><code>([a-z_]+)</code></td><td>.*</td><td>(.*)</td></tr>"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Status.values())
                        .map(status -> status.code() + " | " + mayBecome(status))
                        .toList());
    }

    /** One list when all operations with this status have the same moves, otherwise one for each. */
    private static String mayBecome(Status from) {
        List<Operation> operations = Stream.of(Operation.values())
                .filter(operation -> from == Status.PENDING || isReached(operation, from))
                .toList();
        List<String> lists =
                operations.stream().map(operation -> moves(operation, from)).toList();
        return lists.stream().distinct().count() == 1
                ? lists.get(0)
                : operations.stream()
                        .map(operation -> StringUtils.capitalize(operation.code()) + ": " + moves(operation, from))
                        .collect(Collectors.joining("<br>"));
    }

    private static String moves(Operation operation, Status from) {
        String codes = Transition.allowed(operation, from).stream()
                .map(to -> "<code>" + to.code() + "</code>")
                .collect(Collectors.joining(", "));
        return codes.isEmpty() ? "nothing" : codes;
    }

    private static boolean isReached(Operation operation, Status status) {
        return Stream.of(Status.values())
                .anyMatch(from -> Transition.allowed(operation, from).contains(status));
    }

    @Test
    void everyProblemIsExplained() {
        assertThat(found("data-problem=\"([^\"]*)\""))
                .containsExactlyInAnyOrderElementsOf(ApiDescription.PROBLEMS.stream()
                        .map(code -> code.status().value() + " " + code.code())
                        .toList());
    }

    @Test
    void everyScopeIsExplained() {
        assertThat(found("<tr><td><code>([a-z]+:[a-z]+)</code>"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Scope.values()).map(Scope::code).toList());
    }

    static Stream<MatchResult> snippets() {
        return Pattern.compile("<pre data-source=\"([^\"]*)\"[^>]*><code>([^<]*)</code>")
                .matcher(GUIDE)
                .results();
    }

    /** The blocks of a snippet are parts of a receiver that {@code ReceiversIT} runs. On a failure, copy them from there. */
    @ParameterizedTest
    @MethodSource("snippets")
    void theCodeIsThatOfTheTestedReceivers(MatchResult snippet) throws IOException {
        String receiver = Files.readString(ROOT.resolve("infra/receiver").resolve(snippet.group(1)));
        String program = receiver.stripIndent().indent(-4) + receiver;
        String code = HtmlUtils.htmlUnescape(snippet.group(2));
        assertThat(code.split("\n\n")).hasSizeGreaterThan(1).allSatisfy(block -> assertThat(program)
                .contains(block));
    }

    @Test
    void thereIsCodeInFourLanguages() {
        assertThat(snippets().map(snippet -> snippet.group(1)))
                .containsExactly("java/Receiver.java", "node/receiver.mjs", "python/receiver.py", "go/receiver.go");
    }

    @Test
    void everyLinkOfTheContentsHasItsSection() {
        List<String> sections = found("<section id=\"([^\"]*)\"");
        assertThat(found("<li><a href=\"#([^\"]*)\"")).isEqualTo(sections);
        assertThat(found("href=\"#([^\"]*)\"")).allMatch(id -> id.equals("content") || sections.contains(id));
    }

    @Test
    void theTextHasAllOfThePageWithoutItsTags() {
        String text = GuideText.read().markdown("https://here.example");
        assertThat(text.lines().filter(line -> line.startsWith("## ")).map(line -> line.substring(3)))
                .containsExactlyElementsOf(found("<section id=\"[^\"]*\">\n<h2>([^<]*)</h2>"));
        found("(?s)<pre[^>]*><code>(.*?)</code></pre>").forEach(code -> assertThat(text)
                .contains(HtmlUtils.htmlUnescape(code.replaceAll("<[^>]*>", ""))
                        .replace("https://pix.example.com", "https://here.example")));
        assertThat(text.lines().filter(line -> line.matches("\\| [^|].*")))
                .hasSameSizeAs(found("(<tr)\\b"))
                .contains(
                        "| `canceled` | You have canceled it. | nothing |",
                        "| 413 | `body_too_large` | A body has at most 64 KiB. |");
        assertThat(text.split("```[^`]*```"))
                .noneMatch(prose -> prose.matches("(?s).*</?(p|a|code|td|li|section|div|svg)\\b.*"));
        assertThat(text).contains("[verify](https://here.example/docs#verify)");
    }

    @Test
    void theTextForLanguageModelsLeadsToTheGuide() {
        assertThat(GuideText.read().llms("https://here.example"))
                .startsWith("# Ligeiro API: guide\n\n> How to create Pix transactions")
                .contains("](https://here.example/docs.md)", "](https://here.example/openapi.json)");
    }

    /** Their groups, separated as the cells of a Markdown table. */
    private static List<String> found(String pattern) {
        return Pattern.compile(pattern)
                .matcher(GUIDE)
                .results()
                .map(result -> String.join(
                        " | ",
                        Stream.iterate(1, group -> group <= result.groupCount(), group -> group + 1)
                                .map(result::group)
                                .toList()))
                .toList();
    }
}
