package dev.ligeiro.infra.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.launcher.ServiceKind;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documents name exists: links, files, settings, metrics, log lines, routes. */
class DocumentsTest {

    private static final Path RUNBOOKS = Path.of("infra/docs/runbooks");

    private static final Pattern LINK = Pattern.compile("\\[[^\\]\\n]+]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern FILE =
            Pattern.compile("(?<![\\w./-])((?:infra|gateway|processor|webhook-dispatcher|common-model)/[\\w./-]*\\w)");
    private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+(?:Test|IT))`");
    private static final Pattern SETTING =
            Pattern.compile("\\b(LIGEIRO_[A-Z_]+[A-Z])\\b|`(ligeiro(?:\\.[a-z-]+){2,})[=`]");
    private static final Pattern METRIC = Pattern.compile("\\b(ligeiro_[a-z_]*[a-z])");
    private static final Pattern API_PATH = Pattern.compile("(/api/v1(?:/[\\w${}.-]*[\\w}])+)");
    private static final Pattern ADMIN_PATH = Pattern.compile("(/admin/[a-z-]+)");

    /** Names of ids that the reader of a runbook sets. */
    private static final String IDS =
            "(MERCHANT|KEY|LEAKED|ENDPOINT|DELIVERY|ID|E2E_ID|REFUND|PAYMENT|RESOLUTION|BREAK|TOPIC|LETTER)";

    private static final Pattern MARK = Pattern.compile("(?m)^```(.*)$");
    private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh \\w+\\n(.*?)^```$");

    private static final Pattern CHOSEN = Pattern.compile("\\b" + IDS + "=\\$\\(");
    private static final Pattern UNCHECKED = Pattern.compile("\\$\\{?" + IDS + "\\b(?!:\\?})");

    /** The first column of a table of log lines; {@code NAME} finds each name in it. */
    private static final Pattern LOG_ROW = Pattern.compile("(?m)^\\| (`[a-z_]+`(?:, `[a-z_]+`)*) \\|");

    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");
    private static final Pattern WARNED =
            Pattern.compile("\\.at(?:Warn|Error|Level)\\([^;]*?\"event\\.action\", \"([a-z_]+)\"");
    private static final Pattern LOGGED_MERCHANT =
            Pattern.compile("addKeyValue\\(\\s*(\"(?:tenant|merchant|mode|merchant[._]?(?:id|number))\")");
    /** In an example of a line, or in a command that looks for lines. */
    private static final Pattern LOG_LINE = Pattern.compile(
            "(?:event\\.action=\"|\\bevents (?:gateway|processor|webhook-dispatcher|\\$service) )([a-z_]+)");

    static Stream<Path> documents() {
        return Checkout.documents();
    }

    static Stream<Path> runbooks() {
        return documents().filter(page -> RUNBOOKS.equals(page.getParent()) && !page.endsWith("README.md"));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadSomewhere(Path page) {
        assertThat(Checkout.found(LINK, text(page)).stream()
                        .filter(link -> !link.startsWith("https://"))
                        .filter(link -> !leadsSomewhere(page, link)))
                .isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Checkout.exists(target)
                && (parts.length == 1 || anchors(text(target)).contains(parts[1]));
    }

    private static Set<String> anchors(String text) {
        return Checkout.found(HEADING, text).stream().map(RunbookPage::anchor).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void filesAndTestsExist(Path page) {
        assertThat(Checkout.found(FILE, text(page)).stream()
                        .filter(file -> !file.contains("target"))
                        .filter(file -> !Checkout.exists(Path.of(file))))
                .isEmpty();
        assertThat(Checkout.classes()).containsAll(Checkout.found(TEST_CLASS, text(page)));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void settingsExist(Path page) {
        Set<String> known = new HashSet<>(Settings.names());
        known.addAll(List.of("LIGEIRO_MONGOD", "LIGEIRO_KUBE_APISERVER", "LIGEIRO_ETCD"));
        assertThat(SETTING.matcher(text(page))
                        .results()
                        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                        .filter(name -> !known.contains(name) && !name.matches("LIGEIRO_ADMIN_(TOKENS|ROLES).*")))
                .isEmpty();
    }

    /** A name in a document may be the beginning of a metric's name, as in a command that looks for several. */
    @ParameterizedTest
    @MethodSource("documents")
    void metricsExist(Path page) {
        Set<String> series = MetricsPage.read().series();
        assertThat(Checkout.found(METRIC, text(page)).stream()
                        .filter(name -> series.stream().noneMatch(each -> each.startsWith(name))))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void routesExist(Path page) {
        List<Pattern> routes = Stream.of(
                        "transactions", "changes", "disputes", "events", "webhooks", "deliveries", "console")
                .map(part -> Checkout.read("gateway/src/main/resources/openapi/" + part + ".yaml"))
                .flatMap(yaml -> Checkout.found(Pattern.compile("(?m)^  (/.*):$"), yaml).stream())
                .map(route -> Pattern.compile(route.replace(".", "\\.").replaceAll("\\{\\w+}", "[^/]+")))
                .toList();
        assertThat(Checkout.found(API_PATH, text(page)).stream().filter(path -> routes.stream()
                        .noneMatch(route -> route.matcher(path).matches())))
                .isEmpty();
        assertThat(Checkout.found(ADMIN_PATH, Checkout.code("infra/desk/src/main/java")))
                .containsAll(Checkout.found(ADMIN_PATH, text(page)));
    }

    /** What a person may have to act upon. Lines of other levels tell what happens. */
    @Test
    void theRunbooksListEachLogLineOfAWarningOrAnError() {
        String code = codeOfServices();
        String page = Checkout.read(RUNBOOKS + "/README.md");
        String table = page.substring(page.indexOf("\n## Log lines\n"));
        Set<String> listed = Checkout.found(NAME, Checkout.found(LOG_ROW, table).toString());

        assertThat(listed).containsAll(Checkout.found(WARNED, code));
        assertThat(listed).allMatch(name -> code.contains('"' + name + '"'));
    }

    /** A line that spells the merchant in its own way is not found by the merchant's number. */
    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void logLinesNameTheirMerchantByLoggedMerchantOnly(ServiceKind kind) {
        assertThat(Checkout.found(LOGGED_MERCHANT, Checkout.code(kind.folder() + "/src/main/java")))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void logLinesExist(Path page) {
        String code = codeOfServices();
        assertThat(Checkout.found(LOG_LINE, text(page))).allMatch(name -> code.contains('"' + name + '"'));
    }

    private static String codeOfServices() {
        return Stream.concat(
                        Stream.of("infra/service-support"),
                        Stream.of(ServiceKind.values()).map(ServiceKind::folder))
                .map(module -> Checkout.code(module + "/src/main/java"))
                .collect(Collectors.joining());
    }

    /** The application.yml is the only page that explains settings. */
    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void eachSettingIsExplainedWhereItStands(ServiceKind kind) {
        assertThat(Settings.of(kind)).isNotEmpty().allSatisfy(setting -> assertThat(setting.comment())
                .as(setting.name())
                .isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("runbooks")
    void aRunbookIsListedAndEachSectionSaysWhenItIsOver(Path page) {
        assertThat(Checkout.read(RUNBOOKS + "/README.md")).contains("](" + page.getFileName() + ")");
        assertThat(text(page)).contains("[Define the commands](README.md#the-commands)");
        assertThat(new RunbookPage(text(page)).sections()).isNotEmpty().allSatisfy(section -> assertThat(section)
                .contains("\n**Over when**"));
    }

    /** An operator who pastes the commands of a page must not change another merchant, key or endpoint than the one in question. */
    @ParameterizedTest
    @MethodSource("runbooks")
    void aRunbookDoesNotChooseForItsReader(Path page) {
        assertThat(Checkout.found(CHOSEN, text(page))).as("set by a command").isEmpty();
        assertThat(Checkout.found(UNCHECKED, text(page)))
                .as("expected: ${NAME:?}, which fails without the id")
                .isEmpty();
    }

    /** README.md says what the marks mean; a test runs the local ones. */
    @ParameterizedTest
    @MethodSource("runbooks")
    void theCommandsOfARunbookAreMarkedAndTheShellReadsThem(Path page) throws Exception {
        String text = text(page);
        assertThat(Checkout.found(MARK, text))
                .isSubsetOf("", "sh local", "sh kubernetes", "sh change", "sh brokers", "sh bank");
        Process shell =
                new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
        try (Writer commands = shell.outputWriter()) {
            for (String block : Checkout.found(COMMANDS, text)) {
                commands.write(block + "\n");
            }
        }
        String faults = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(faults).isZero();
    }

    private static String text(Path page) {
        return Checkout.read(page.toString());
    }
}
