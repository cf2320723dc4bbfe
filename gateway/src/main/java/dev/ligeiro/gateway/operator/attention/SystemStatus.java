package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.support.instance.ServiceInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The whole system at a glance, as {@code GET /admin/status} shows it. A figure that no process knows is null.
 *
 * @param lag the seconds by which each consumer group is behind
 */
record SystemStatus(
        Instant asOf,
        List<AttentionItem> attention,
        List<InstanceJson> instances,
        Map<String, Double> lag,
        DueJson due,
        WebhooksJson webhooks,
        List<RailJson> rails,
        Map<String, Double> certificates,
        OpenJson open) {

    private static final List<String> OF_RAILS = List.of(
            "ligeiro.rail.breakers.open",
            "ligeiro.rail.unknown.oldest",
            "ligeiro.rail.locations.level",
            "ligeiro.reconciled.age");

    static SystemStatus of(
            Instant now,
            List<AttentionItem> attention,
            List<ServiceInstance> instances,
            Figures figures,
            OpenJson open) {
        return new SystemStatus(
                now,
                attention,
                instances.stream()
                        .map(instance -> InstanceJson.of(instance, now))
                        .toList(),
                figures.maxBy("group", "ligeiro.consumer.lag"),
                new DueJson(figures.max("ligeiro.due.behind"), figures.max("ligeiro.due.behind.age")),
                WebhooksJson.of(figures),
                RailJson.all(figures),
                figures.minBy("bundle", "ssl.chain.expiry"),
                open);
    }

    /** @param ageSeconds since its last report, which it sends every 15 s */
    record InstanceJson(
            UUID id,
            String service,
            String version,
            String host,
            long pid,
            Instant startedAt,
            long ageSeconds,
            @Nullable Double cpuUsage,
            @Nullable Double heapUsage,
            @Nullable Double clockAheadSeconds) {

        static InstanceJson of(ServiceInstance instance, Instant now) {
            Figures figures = Figures.of(List.of(instance));
            Double used = figures.sum("jvm.memory.used");
            Double max = figures.positive().sum("jvm.memory.max");
            return new InstanceJson(
                    instance.id(),
                    instance.service(),
                    instance.version(),
                    instance.host(),
                    instance.pid(),
                    instance.startedAt(),
                    Math.max(0, Duration.between(instance.seenAt(), now).toSeconds()),
                    figures.max("process.cpu.usage"),
                    used == null || max == null ? null : used / max,
                    figures.max("ligeiro.clock.ahead"));
        }
    }

    /** Expiries, inquiries and refunds without a command yet. */
    record DueJson(@Nullable Double count, @Nullable Double oldestSeconds) {}

    /**
     * @param oldestSeconds of deliveries to endpoints that do not fail; the others are those of failing ones
     * @param lanesOpen endpoints whose circuit breaker is open
     */
    record WebhooksJson(
            @Nullable Double due,
            @Nullable Double oldestSeconds,
            @Nullable Double oldestOfFailingSeconds,
            @Nullable Double lanes,
            @Nullable Double lanesDue,
            @Nullable Double lanesOpen,
            @Nullable Double failingLongestSeconds) {

        static WebhooksJson of(Figures figures) {
            return new WebhooksJson(
                    figures.max("ligeiro.webhook.due"),
                    figures.with("breaker", "closed").max("ligeiro.webhook.due.oldest"),
                    figures.with("breaker", "opened").max("ligeiro.webhook.due.oldest"),
                    figures.with("state", "all").max("ligeiro.webhook.lanes"),
                    figures.with("state", "due").max("ligeiro.webhook.lanes"),
                    figures.with("state", "open").max("ligeiro.webhook.lanes"),
                    figures.max("ligeiro.webhook.failing.longest"));
        }
    }

    /** @param breakersOpen processors' paying accounts, whose calls are not made because the rail fails */
    record RailJson(
            String rail,
            @Nullable Double breakersOpen,
            @Nullable Double unknownOldestSeconds,
            @Nullable Double locationsLevel,
            @Nullable Double tokenAgeSeconds,
            @Nullable Double catchUpAgeSeconds,
            @Nullable Double callsWaiting,
            @Nullable Double breaksOpen,
            @Nullable Double reconciledAgeSeconds) {

        static List<RailJson> all(Figures figures) {
            return OF_RAILS.stream()
                    .flatMap(name -> figures.maxBy("rail", name).keySet().stream())
                    .collect(Collectors.toCollection(TreeSet::new))
                    .stream()
                    .map(rail -> of(rail, figures.with("rail", rail)))
                    .toList();
        }

        private static RailJson of(String rail, Figures figures) {
            return new RailJson(
                    rail,
                    figures.sum("ligeiro.rail.breakers.open"),
                    figures.max("ligeiro.rail.unknown.oldest"),
                    figures.max("ligeiro.rail.locations.level"),
                    figures.max("ligeiro.rail.token.age"),
                    figures.minBy("rail", "ligeiro.rail.catch.up.age").get(rail),
                    figures.sum("ligeiro.rail.waiting.calls"),
                    figures.sumOfSeries("ligeiro.breaks.open"),
                    figures.max("ligeiro.reconciled.age"));
        }
    }

    /**
     * The open work of each kind, with the age of its oldest item; null while MongoDB or Kafka, which knows the kind, does not answer.
     *
     * @param unknownOutcomes those that have been unknown for longer than 10 minutes
     */
    record OpenJson(
            @Nullable OpenWork unknownOutcomes,
            @Nullable OpenWork unmatchedPayments,
            @Nullable OpenWork breaks,
            @Nullable OpenWork approvals,
            @Nullable OpenWork deadCommands,
            @Nullable OpenWork deadEvents,
            @Nullable OpenWork failingEndpoints,
            @Nullable OpenWork unaccepted) {

        /** In the order of the components; -1 for an unknown one. */
        List<Long> counts() {
            return Stream.of(
                            unknownOutcomes,
                            unmatchedPayments,
                            breaks,
                            approvals,
                            deadCommands,
                            deadEvents,
                            failingEndpoints,
                            unaccepted)
                    .map(work -> work == null ? -1 : work.count())
                    .toList();
        }
    }
}
