package dev.ligeiro.gateway.operator.attention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.operator.attention.AttentionItem.Severity;
import dev.ligeiro.gateway.operator.attention.AttentionItem.Unit;
import dev.ligeiro.gateway.operator.attention.AttentionRules.Facts;
import dev.ligeiro.gateway.operator.attention.AttentionRules.Rule;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.instance.ServiceInstance;
import dev.ligeiro.support.instance.ServiceInstance.Figure;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

class AttentionRulesTest {

    private static final Path ALERTS = Path.of("..", "infra", "prometheus", "alerts.yml");
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final Duration LONG_AGO = Duration.ofHours(1);

    /** A healthy system, and one more figure of a processor. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            ligeiro.rail.unknown.oldest           | rail=bank         | 1801     | RailOutcomeUnknown
            ligeiro.rail.unknown.oldest           | rail=bank         | 1800     |
            ligeiro.clock.ahead                   |                   | 5.1      | ClocksApart
            ligeiro.clock.ahead                   |                   | -5.1     | ClocksApart
            ligeiro.clock.ahead                   |                   | -5       |
            ligeiro.breaks.open.oldest            | rail=bank         | 3601     | BreakOpen
            ligeiro.breaks.open.oldest            | rail=bank         | 3600     |
            ligeiro.breaks.open.oldest            | rail=simulator    | 99999    |
            ligeiro.approvals.oldest              |                   | 14401    | ApprovalsWait
            ligeiro.approvals.oldest              |                   | 14400    |
            ligeiro.rail.breakers.open            | rail=bank         | 1        | RailFails
            ligeiro.rail.breakers.open            | rail=bank         | 0        |
            ligeiro.rail.catch.up.age             | rail=bank         | 1201     | CatchUpBehind
            ligeiro.rail.catch.up.age             | rail=bank         | 1200     |
            ssl.chain.expiry                      | bundle=bank       | 1209599  | CertificateEnds
            ssl.chain.expiry                      | bundle=bank       | -1       | CertificateEnds
            ssl.chain.expiry                      | bundle=bank       | 1209600  |
            ligeiro.rail.locations.level          | rail=bank         | 0.24     | LocationsLow
            ligeiro.rail.locations.level          | rail=bank         | 0.25     |
            ligeiro.consumer.lag                  | group=books       | 61       | ConsumerLag
            ligeiro.consumer.lag                  | group=books       | 60       |
            ligeiro.gateway.unaccepted.oldest     |                   | 301      | TransactionsNotAccepted
            ligeiro.gateway.unaccepted.oldest     |                   | 300      |
            ligeiro.due.behind.age                |                   | 121      | DueWorkLate
            ligeiro.due.behind.age                |                   | 120      |
            ligeiro.webhook.due.oldest            | breaker=closed    | 301      | DeliveriesWait
            ligeiro.webhook.due.oldest            | breaker=closed    | 300      |
            ligeiro.webhook.due.oldest            | breaker=opened    | 99999    |
            ligeiro.webhook.failing.longest       |                   | 86401    | EndpointFails
            ligeiro.webhook.failing.longest       |                   | 86400    |
            ligeiro.reconciled.age                | rail=bank         | 129601   | ReconciliationBehind
            ligeiro.reconciled.age                | rail=bank         | 129600   |
            ligeiro.gateway.undecodable.documents |                   | 1        | DocumentDamaged
            ligeiro.gateway.undecodable.documents |                   | 0        |
            ligeiro.view.settings                 | zone=UTC          | 1        | SettingsDiffer
            ligeiro.view.settings                 | zone=America/Lima | 1        |
            disk.free                             | path=/data        | 9        | DiskFull
            disk.free                             | path=/data        | 10       |
            """)
    void aFigureBeyondTheLimitNeedsAttention(String name, String tags, double value, String expected) {
        Figure figure = new Figure(name, tags(tags), value);
        List<ServiceInstance> instances = Stream.concat(
                        healthy().stream(), Stream.of(instance("processor", LONG_AGO, figure)))
                .toList();

        assertThat(names(facts(instances))).isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    @Test
    void nothingNeedsAttentionInAHealthySystem() {
        assertThat(names(facts(healthy()))).isEmpty();
    }

    @Test
    void openWorkNeedsAttentionForAsLongAsItIsOpen() {
        OpenWork one = new OpenWork(1, false, 5L);
        OpenWork none = new OpenWork(0, false, null);

        assertThat(names(facts(healthy(), one, Map.of()))).containsExactly("UnmatchedPayment");
        assertThat(names(facts(healthy(), none, Map.of(Topics.COMMANDS, one, Topics.EVENTS, none))))
                .containsExactly("CommandsDead");
        assertThat(names(facts(healthy(), none, Map.of(Topics.COMMANDS, none, Topics.EVENTS, one))))
                .containsExactly("EventsDead");
    }

    @Test
    void aServiceWithoutAReportIsDownUnlessTheGatewayHasJustStarted() {
        Figure lag = new Figure("ligeiro.consumer.lag", Map.of("group", "books"), 0);

        assertThat(names(facts(List.of(instance("gateway", LONG_AGO, lag)))))
                .containsExactly("ProcessorsDown", "DispatchersDown");
        assertThat(names(facts(List.of(instance("gateway", Duration.ofSeconds(59), lag)))))
                .isEmpty();
    }

    @Test
    void withoutAKnownLagKafkaIsAway() {
        assertThat(names(facts(List.of(
                        instance("gateway", LONG_AGO),
                        instance("processor", LONG_AGO),
                        instance("webhook-dispatcher", LONG_AGO)))))
                .containsExactly("KafkaAway");
    }

    @Test
    void whileMongodbIsAwayNothingElseIsKnown() {
        assertThat(names(Facts.withoutMongodb(NOW))).containsExactly("MongodbAway");
    }

    @Test
    void theMostUrgentComesFirstAndSaysSinceWhen() {
        List<ServiceInstance> instances = Stream.concat(
                        healthy().stream(),
                        Stream.of(instance(
                                "processor",
                                LONG_AGO,
                                new Figure("ligeiro.approvals.oldest", Map.of(), 20_000),
                                new Figure("ligeiro.rail.unknown.oldest", Map.of("rail", "bank"), 93_784),
                                new Figure("ligeiro.rail.unknown.oldest", Map.of("rail", "other"), 2_000))))
                .toList();

        List<AttentionItem> items = AttentionRules.attention(facts(instances));

        assertThat(items)
                .extracting(AttentionItem::severity)
                .containsExactly(Severity.CRITICAL, Severity.CRITICAL, Severity.WARNING);
        assertThat(items)
                .extracting(AttentionItem::summary)
                .containsExactly(
                        "The rail bank has not told the outcome of a call for 1 d 2 h",
                        "The rail other has not told the outcome of a call for 33 min",
                        "A cashout has been waiting for approval for 5 h 33 min");
        assertThat(items.get(0).about()).isEqualTo("bank");
        assertThat(items.get(0).since()).isEqualTo(NOW.minusSeconds(93_784));
        assertThat(items.get(2).about()).isNull();
    }

    /** Who knows the alert finds it here, and the other way. */
    @Test
    void eachRuleIsAnAlertWithTheSameSeverityLimitAndRunbook() throws IOException {
        Map<String, JsonNode> alerts = alerts();
        for (Rule rule : AttentionRules.RULES) {
            assertThat(alerts).containsKey(rule.name());
            JsonNode alert = alerts.getOrDefault(rule.name(), NullNode.instance);
            assertThat(alert.path("labels").path("severity").asString())
                    .as(rule.name())
                    .isEqualTo(rule.severity().code());
            assertThat(alert.path("annotations").path("runbook").asString())
                    .as(rule.name())
                    .isEqualTo("infra/docs/runbooks/" + rule.runbook() + ".md");
            if (rule.limit().unit() != Unit.NONE) {
                String limit = (rule.limit().isAbove() ? "> " : "< ")
                        + BigDecimal.valueOf(rule.limit().value())
                                .stripTrailingZeros()
                                .toPlainString();
                assertThat(alert.path("expr").asString()).as(rule.name()).contains(limit);
            }
        }
    }

    private static Map<String, JsonNode> alerts() throws IOException {
        Object file = new Yaml().load(Files.readString(ALERTS));
        JsonNode groups = JsonMapper.shared().<JsonNode>valueToTree(file).path("groups");
        return groups.valueStream()
                .flatMap(group -> group.path("rules").valueStream())
                .collect(Collectors.toMap(rule -> rule.path("alert").asString(), rule -> rule));
    }

    private static List<String> names(Facts facts) {
        return AttentionRules.attention(facts).stream().map(AttentionItem::name).toList();
    }

    private static Facts facts(List<ServiceInstance> instances) {
        return facts(instances, new OpenWork(0, false, null), Map.of());
    }

    private static Facts facts(List<ServiceInstance> instances, OpenWork unmatched, Map<String, OpenWork> deadLetters) {
        return new Facts(NOW, false, instances, Figures.of(instances), unmatched, deadLetters);
    }

    private static List<ServiceInstance> healthy() {
        return List.of(
                instance(
                        "gateway",
                        LONG_AGO,
                        new Figure("ligeiro.consumer.lag", Map.of("group", "ligeiro-processor"), 0),
                        new Figure("ligeiro.view.settings", Map.of("zone", "America/Lima"), 1)),
                instance("processor", LONG_AGO, new Figure("ligeiro.rail.unknown.oldest", Map.of("rail", "bank"), 0)),
                instance("webhook-dispatcher", LONG_AGO));
    }

    private static ServiceInstance instance(String service, Duration up, Figure... figures) {
        Stream<Figure> disk = Stream.of(new Figure("disk.total", Map.of("path", "/data"), 100));
        return new ServiceInstance(
                new UUID(0, 1),
                service,
                "1.0.0",
                "host-1",
                7,
                NOW.minus(up),
                NOW,
                Stream.concat(disk, Stream.of(figures)).toList());
    }

    private static Map<String, String> tags(String text) {
        if (text == null) {
            return Map.of();
        }
        String[] pair = text.split("=", 2);
        return Map.of(pair[0], pair[1]);
    }
}
