package dev.ligeiro.infra.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The alerts, their runbooks and their tests fit together. {@link PromtoolIT} runs their tests. */
class AlertsTest {

    private static final String RUNBOOKS = "infra/docs/runbooks";

    /** It fires always, and so has no series with which it does not. */
    private static final String WATCHDOG = "Watchdog";

    /** In a runbook: alert `Name`, alerts `Name`, `Other`. */
    private static final Pattern NAMED = Pattern.compile("(?i:\\balerts?) +(`[A-Z]\\w+`(?:, `[A-Z]\\w+`)*)");

    private static final Pattern TESTED =
            Pattern.compile("alertname=\"(\\w+)\",alertstate=\"firing\"[^\\n]*?\\n? *[^\\n]*exp_samples: *(\\[])?");

    /** The labels that an aggregation keeps; empty without "by". */
    private static final Pattern AGGREGATION =
            Pattern.compile("\\b(?:sum|min|max|count|group)\\b *(?:by *\\(([^)]*)\\)|\\()");

    /** In the test of the pauses: how often an alert has fired at the end of a pause. */
    private static final Pattern PAUSED = Pattern.compile("labels: '\\{alertname=\"(\\w+)\"}', value: 1}");

    private final List<Alert> alerts = Alert.all();

    @Test
    void anAlertSaysHowUrgentItIsWhatTheCustomerNoticesAndWhatToDo() {
        assertThat(alerts).extracting(Alert::name).doesNotHaveDuplicates();
        assertThat(alerts).allSatisfy(alert -> {
            assertThat(alert.severity())
                    .isIn(alert.name().equals(WATCHDOG) ? List.of("none") : List.of("critical", "warning"));
            assertThat(alert.annotations()).containsOnlyKeys("summary", "customer", "runbook", "runbook_url");
            String runbook = alert.annotations().getOrDefault("runbook", "");
            assertThat(runbook).startsWith(RUNBOOKS + "/");
            assertThat(alert.annotations().get("runbook_url"))
                    .isEqualTo("{{ $externalLabels.runbooks }}" + runbook.substring(RUNBOOKS.length()));
        });
    }

    @Test
    void anExpressionNamesMetricsThatExist() {
        KnownNames names = new KnownNames();
        alerts.stream()
                .filter(alert -> !alert.name().equals(WATCHDOG))
                .forEach(alert -> names.assertKnown(alert.name(), alert.expression()));
    }

    @Test
    void theListOfRunbooksAndTheSectionToWhichAnAlertLeadsNameIt() {
        List<String> rows = Checkout.read(RUNBOOKS + "/README.md")
                .lines()
                .filter(line -> line.startsWith("| ["))
                .toList();
        assertThat(alerts).allSatisfy(alert -> {
            String[] place = alert.annotations().getOrDefault("runbook", "").split("#");
            assertThat(rows)
                    .filteredOn(row -> namesIn(row).contains(alert.name()))
                    .singleElement()
                    .asString()
                    .contains("(" + Path.of(place[0]).getFileName() + ")");
            assertThat(RunbookPage.read(Path.of(place[0])).sections())
                    .filteredOn(section -> RunbookPage.anchor(
                                    section.lines().findFirst().orElseThrow())
                            .equals(place[1]))
                    .singleElement()
                    .satisfies(section -> assertThat(section).contains('`' + alert.name() + '`'));
        });
    }

    /** Several installations may share a Prometheus. */
    @Test
    void anAlertKeepsTheNamespace() {
        assertThat(alerts).filteredOn(alert -> !alert.name().equals(WATCHDOG)).allSatisfy(alert -> assertThat(
                        AGGREGATION.matcher(alert.expression()).results())
                .as(alert.name())
                .extracting(found -> found.group(1))
                .allSatisfy(labels -> assertThat(labels).startsWith("namespace")));
    }

    @Test
    void aRunbookNamesAlertsThatExist() {
        Set<String> existing = alerts.stream().map(Alert::name).collect(Collectors.toSet());
        for (Path page : Checkout.files(RUNBOOKS, ".md")) {
            assertThat(existing)
                    .as(page.toString())
                    .containsAll(namesIn(Checkout.read(RUNBOOKS + "/" + page.getFileName())));
        }
    }

    private static Set<String> namesIn(String text) {
        return NAMED.matcher(text)
                .results()
                .flatMap(names -> Stream.of(names.group(1).split("`, `|`")))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachAlertIsTestedWithSeriesThatFireAndWithSeriesThatDoNot() {
        Set<String> firing = new TreeSet<>();
        Set<String> silent = new TreeSet<>();
        TESTED.matcher(Checkout.read("infra/prometheus/alerts_test.yml"))
                .results()
                .forEach(test -> (test.group(2) == null ? firing : silent).add(test.group(1)));
        Set<String> all = alerts.stream().map(Alert::name).collect(Collectors.toCollection(TreeSet::new));
        assertThat(firing).isEqualTo(all);
        all.remove(WATCHDOG);
        assertThat(silent).isEqualTo(all);
    }

    @Test
    void thePauseOfEachAlertIsTested() {
        assertThat(PAUSED.matcher(Checkout.read("infra/prometheus/alerts_test.yml"))
                        .results())
                .extracting(test -> test.group(1))
                .containsExactlyInAnyOrderElementsOf(
                        alerts.stream().filter(Alert::pauses).map(Alert::name).toList());
    }

    /**
     * An alert of {@code infra/prometheus/alerts.yml}.
     *
     * @param pauses whether it fires only after the expression has been true for some time ("for")
     */
    record Alert(String name, String expression, boolean pauses, String severity, Map<String, String> annotations) {

        static final String FILE = "infra/prometheus/alerts.yml";

        static List<Alert> all() {
            return list(new Yaml().<Map<String, Object>>load(Checkout.read(FILE)), "groups").stream()
                    .flatMap(group -> list(group, "rules").stream())
                    .map(Alert::of)
                    .toList();
        }

        private static Alert of(Map<String, Object> rule) {
            return new Alert(
                    text(rule, "alert"),
                    text(rule, "expr"),
                    rule.containsKey("for"),
                    strings(rule, "labels").getOrDefault("severity", ""),
                    strings(rule, "annotations"));
        }

        private static String text(Map<String, Object> rule, String name) {
            return Objects.requireNonNull(rule.get(name), name).toString();
        }

        @SuppressWarnings("unchecked")
        private static Map<String, String> strings(Map<String, Object> rule, String name) {
            return (Map<String, String>) Objects.requireNonNull(rule.get(name), name);
        }

        @SuppressWarnings("unchecked")
        private static List<Map<String, Object>> list(Map<String, Object> node, String name) {
            return (List<Map<String, Object>>) Objects.requireNonNull(node.get(name), name);
        }
    }
}
