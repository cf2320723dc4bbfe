package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.operator.attention.AttentionItem.Severity;
import dev.ligeiro.gateway.operator.attention.AttentionItem.Unit;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.instance.ServiceInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what needs a person now: the conditions of {@code infra/prometheus/alerts.yml}, under the same names, as far as the current figures
 * of the processes and the open lists tell them. An alert on a rate has no rule. {@code UnmatchedPayment}, {@code CommandsDead} and {@code
 * EventsDead} hold for as long as the work is open. No rule waits for a {@code for:}, so it may hold minutes before its alert fires.
 */
final class AttentionRules {

    private static final String GATEWAY = "gateway";
    /** What a rule is about that has no subject. */
    private static final String ALL = "";
    /** A gateway that has just started has not heard of the other processes. */
    private static final Duration UP_FOR = Duration.ofMinutes(1);
    /** Of a condition without a figure. */
    private static final Limit HOLDS = above(0, Unit.NONE);

    private static final String STATUS_ROUTE = "GET /admin/status";
    private static final String STATUS_PAGE = "/console/status";

    /** The most urgent first; critical ones come before warnings. */
    static final List<Rule> RULES = List.of(
            new Rule(
                    "MongodbAway",
                    Severity.CRITICAL,
                    Facts::mongodbAway,
                    HOLDS,
                    "MongoDB does not answer, so it probably has no primary",
                    "mongodb-no-primary",
                    "GET /actuator/health",
                    "/console"),
            new Rule(
                    "KafkaAway",
                    Severity.CRITICAL,
                    facts -> facts.isDown(!facts.figures().has("ligeiro.consumer.lag")),
                    HOLDS,
                    "Kafka does not answer the gateways",
                    "kafka-away",
                    "GET /actuator/health",
                    STATUS_PAGE),
            new Rule(
                    "ProcessorsDown",
                    Severity.CRITICAL,
                    facts -> facts.isDown(facts.running("processor") == 0),
                    HOLDS,
                    "No processor is running",
                    "processors-down",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "DispatchersDown",
                    Severity.CRITICAL,
                    facts -> facts.isDown(facts.running("webhook-dispatcher") == 0),
                    HOLDS,
                    "No webhook-dispatcher is running",
                    "dispatchers-down",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "RailOutcomeUnknown",
                    Severity.CRITICAL,
                    facts -> facts.figures().maxBy("rail", "ligeiro.rail.unknown.oldest"),
                    above(1_800, Unit.AGE),
                    "The rail %s has not told the outcome of a call for %s",
                    "rail-unknowns",
                    "GET /admin/unsettled",
                    "/console/unsettled"),
            new Rule(
                    "UnmatchedPayment",
                    Severity.CRITICAL,
                    facts -> open(facts.unmatched()),
                    above(0, Unit.COUNT),
                    "Payments that no transaction can take: %2$s",
                    "unmatched-payments",
                    "GET /admin/unmatched-payments",
                    "/console/unmatched"),
            new Rule(
                    "CommandsDead",
                    Severity.CRITICAL,
                    facts -> open(facts.deadLetters().get(Topics.COMMANDS)),
                    above(0, Unit.COUNT),
                    "Commands of transactions cannot be processed and are dead letters: %2$s",
                    "dead-letters",
                    "GET /admin/dead-letters?topic=" + Topics.COMMANDS,
                    "/console/dead-letters?topic=" + Topics.COMMANDS),
            new Rule(
                    "ClocksApart",
                    Severity.CRITICAL,
                    Facts::clocks,
                    above(5, Unit.SECONDS),
                    "The clocks of %s and of MongoDB are %s apart",
                    "clocks",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "BreakOpen",
                    Severity.WARNING,
                    facts -> without(
                            RailProperties.SIMULATOR, facts.figures().maxBy("rail", "ligeiro.breaks.open.oldest")),
                    above(3_600, Unit.AGE),
                    "The books and the list of %s have differed for %s",
                    "breaks",
                    "GET /admin/breaks",
                    "/console/breaks"),
            new Rule(
                    "ApprovalsWait",
                    Severity.WARNING,
                    facts -> all(facts.figures().max("ligeiro.approvals.oldest")),
                    above(14_400, Unit.AGE),
                    "A cashout has been waiting for approval for %2$s",
                    "approvals",
                    "GET /admin/approvals",
                    "/console/approvals"),
            new Rule(
                    "RailFails",
                    Severity.WARNING,
                    facts -> facts.figures().maxBy("rail", "ligeiro.rail.breakers.open"),
                    above(0, Unit.COUNT),
                    "The rail %s fails or does not answer: %s breakers are open",
                    "bank-away",
                    "GET /admin/route-stop",
                    "/console/stops"),
            new Rule(
                    "CatchUpBehind",
                    Severity.WARNING,
                    facts -> facts.figures().minBy("rail", "ligeiro.rail.catch.up.age"),
                    above(1_200, Unit.AGE),
                    "The payments of the rail %s were not read again for %s",
                    "bank-away",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "CertificateEnds",
                    Severity.WARNING,
                    facts -> facts.figures().minBy("bundle", "ssl.chain.expiry"),
                    below(1_209_600, Unit.SECONDS),
                    "A certificate of the SSL bundle %s ends in %s",
                    "certificate-renewal",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "LocationsLow",
                    Severity.WARNING,
                    facts -> facts.figures().minBy("rail", "ligeiro.rail.locations.level"),
                    below(0.25, Unit.RATIO),
                    "The pool of payload locations of the rail %s has only %s of what it should have",
                    "payload-locations",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "ConsumerLag",
                    Severity.WARNING,
                    facts -> facts.figures().maxBy("group", "ligeiro.consumer.lag"),
                    above(60, Unit.AGE),
                    "%s is %s behind",
                    "lag",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "TransactionsNotAccepted",
                    Severity.WARNING,
                    facts -> all(facts.figures().max("ligeiro.gateway.unaccepted.oldest")),
                    above(300, Unit.AGE),
                    "No processor has accepted a transaction that is %2$s old",
                    "lag",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "DueWorkLate",
                    Severity.WARNING,
                    facts -> all(facts.figures().max("ligeiro.due.behind.age")),
                    above(120, Unit.AGE),
                    "Expiries, inquiries and refunds are %2$s late",
                    "lag",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "DeliveriesWait",
                    Severity.WARNING,
                    facts -> all(facts.figures().with("breaker", "closed").max("ligeiro.webhook.due.oldest")),
                    above(300, Unit.AGE),
                    "A delivery has been due for %2$s although its endpoint does not fail",
                    "backlog",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "EndpointFails",
                    Severity.WARNING,
                    facts -> all(facts.figures().max("ligeiro.webhook.failing.longest")),
                    above(86_400, Unit.AGE),
                    "An endpoint has failed for %2$s; after 5 days it is disabled",
                    "endpoint-disabled",
                    "GET /admin/endpoints/failing",
                    "/console/endpoints"),
            new Rule(
                    "EventsDead",
                    Severity.WARNING,
                    facts -> open(facts.deadLetters().get(Topics.EVENTS)),
                    above(0, Unit.COUNT),
                    "Events cannot be processed and are dead letters: %2$s",
                    "dead-letters",
                    "GET /admin/dead-letters?topic=" + Topics.EVENTS,
                    "/console/dead-letters?topic=" + Topics.EVENTS),
            new Rule(
                    "ReconciliationBehind",
                    Severity.WARNING,
                    facts -> facts.figures().maxBy("rail", "ligeiro.reconciled.age"),
                    above(129_600, Unit.AGE),
                    "The books were compared with the list of %s up to %s ago",
                    "breaks",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "DocumentDamaged",
                    Severity.WARNING,
                    facts -> all(facts.figures().max("ligeiro.gateway.undecodable.documents")),
                    above(0, Unit.COUNT),
                    "A gateway has found stored documents that it cannot decode: %2$s",
                    "damaged-documents",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "SettingsDiffer",
                    Severity.WARNING,
                    facts -> all((double) facts.figures().seriesOf("ligeiro.view.settings")),
                    above(1, Unit.COUNT),
                    "Gateways and dispatchers do not have the same time zone and public URL: there are %2$s",
                    "upgrade",
                    STATUS_ROUTE,
                    STATUS_PAGE),
            new Rule(
                    "DiskFull",
                    Severity.WARNING,
                    Facts::disks,
                    below(0.1, Unit.RATIO),
                    "%2$s of the disk of %1$s is free",
                    "disk-full",
                    STATUS_ROUTE,
                    STATUS_PAGE));

    private AttentionRules() {}

    /** What needs attention, the most urgent first. */
    static List<AttentionItem> attention(Facts facts) {
        return RULES.stream()
                .flatMap(rule -> rule.items(facts))
                .sorted(Comparator.comparing(AttentionItem::severity))
                .toList();
    }

    private static Limit above(double value, Unit unit) {
        return new Limit(value, true, unit);
    }

    private static Limit below(double value, Unit unit) {
        return new Limit(value, false, unit);
    }

    private static Map<String, Double> all(@Nullable Double value) {
        return value == null ? Map.of() : Map.of(ALL, value);
    }

    private static Map<String, Double> open(@Nullable OpenWork work) {
        return work == null ? Map.of() : Map.of(ALL, (double) work.count());
    }

    private static Map<String, Double> without(String subject, Map<String, Double> values) {
        Map<String, Double> others = new TreeMap<>(values);
        others.remove(subject);
        return others;
    }

    /**
     * What the rules look at.
     *
     * @param deadLetters by topic; a topic is absent while Kafka does not tell
     * @param unmatched null while MongoDB does not tell
     */
    record Facts(
            Instant now,
            boolean isMongodbAway,
            List<ServiceInstance> instances,
            Figures figures,
            @Nullable OpenWork unmatched,
            Map<String, OpenWork> deadLetters) {

        static Facts withoutMongodb(Instant now) {
            return new Facts(now, true, List.of(), Figures.of(List.of()), null, Map.of());
        }

        long running(String service) {
            return instances.stream()
                    .filter(instance -> instance.service().equals(service))
                    .count();
        }

        private Map<String, Double> mongodbAway() {
            return isMongodbAway ? Map.of(ALL, 1d) : Map.of();
        }

        private Map<String, Double> isDown(boolean isSilent) {
            boolean isKnown = instances.stream()
                    .filter(instance -> instance.service().equals(GATEWAY))
                    .anyMatch(gateway -> gateway.startedAt().isBefore(now.minus(UP_FOR)));
            return isKnown && isSilent ? Map.of(ALL, 1d) : Map.of();
        }

        private Map<String, Double> clocks() {
            Map<String, Double> apart = new TreeMap<>();
            instances.forEach(each -> {
                Double ahead = Figures.of(List.of(each)).max("ligeiro.clock.ahead");
                if (ahead != null) {
                    apart.merge(place(each), Math.abs(ahead), Math::max);
                }
            });
            return apart;
        }

        private Map<String, Double> disks() {
            Map<String, Double> free = new TreeMap<>();
            instances.forEach(each -> {
                Figures figures = Figures.of(List.of(each));
                Map<String, Double> sizes = figures.minBy("path", "disk.total");
                figures.minBy("path", "disk.free").forEach((path, bytes) -> {
                    Double size = sizes.get(path);
                    if (size != null && size > 0) {
                        free.merge(each.host(), bytes / size, Math::min);
                    }
                });
            });
            return free;
        }

        private static String place(ServiceInstance instance) {
            return instance.service() + " on " + instance.host();
        }
    }

    /** A value is past it when it is above, or else below. */
    record Limit(double value, boolean isAbove, Unit unit) {

        boolean isPassedBy(double given) {
            return isAbove ? given > value : given < value;
        }
    }

    /**
     * A condition.
     *
     * @param name that of the alert
     * @param values by what they are about; {@value #ALL} if there is only one
     * @param summary a format: %1$s is what it is about, %2$s the value
     * @param runbook its page in {@code infra/docs/runbooks}
     * @param route of the admin API, where it is seen closer or mended; {@code page} is that of the console
     */
    record Rule(
            String name,
            Severity severity,
            Function<Facts, Map<String, Double>> values,
            Limit limit,
            String summary,
            String runbook,
            String route,
            String page) {

        Stream<AttentionItem> items(Facts facts) {
            return values.apply(facts).entrySet().stream()
                    .filter(value -> limit.isPassedBy(value.getValue()))
                    .map(value -> AttentionItem.of(this, value.getKey(), value.getValue(), facts.now()));
        }
    }
}
