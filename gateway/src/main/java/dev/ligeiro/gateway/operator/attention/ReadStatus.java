package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.attention.AttentionRules.Facts;
import dev.ligeiro.gateway.operator.attention.AttentionStore.PageCursor;
import dev.ligeiro.gateway.operator.attention.SystemStatus.OpenJson;
import dev.ligeiro.gateway.operator.records.CountDeadLetters;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.instance.InstanceStore;
import dev.ligeiro.support.instance.ServiceInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Puts the status together: the reports of the processes, the first page of each open list, and the cached count of dead letters. Five
 * queries of at most 101 documents, each by an index. It never fails: while MongoDB is away, the status says so.
 */
@Component
class ReadStatus {

    /** Three reports. */
    private static final Duration RUNNING_FOR = Duration.ofSeconds(45);

    private static final Duration UNKNOWN_FOR = Duration.ofMinutes(10);
    private static final Duration MONGODB_MAX = Duration.ofSeconds(2);
    private static final Duration KAFKA_MAX = Duration.ofSeconds(1);

    private final InstanceStore instances;
    private final AttentionStore open;
    private final BreakListStore breaks;
    private final CountDeadLetters deadLetters;
    private final Clock clock;

    ReadStatus(
            InstanceStore instances,
            AttentionStore open,
            BreakListStore breaks,
            CountDeadLetters deadLetters,
            Clock clock) {
        this.instances = instances;
        this.open = open;
        this.breaks = breaks;
        this.deadLetters = deadLetters;
        this.clock = clock;
    }

    Mono<SystemStatus> read() {
        Instant now = Instant.ofEpochMilli(clock.millis());
        return Mono.zip(stored(now).timeout(MONGODB_MAX), dead(now))
                .map(found -> status(now, found.getT1(), found.getT2()))
                .onErrorResume(Problems::isUnavailable, away -> Mono.just(withoutMongodb(now)));
    }

    private Mono<Stored> stored(Instant now) {
        return Mono.zip(
                        instances.seenSince(now.minus(RUNNING_FOR)),
                        open.unsettled(now, UNKNOWN_FOR, null).map(page -> work(page, item -> item.since(), now)),
                        open.unmatched(now, false, null).map(page -> work(page, item -> item.at(), now)),
                        open.approvals(null).map(page -> work(page, item -> item.since(), now)),
                        breaks.list(now, false, null, null, null).map(page -> work(page, item -> item.since(), now)))
                .map(found -> new Stored(found.getT1(), found.getT2(), found.getT3(), found.getT4(), found.getT5()));
    }

    /** Without the count that Kafka does not tell in time. The read goes on, and the next call has its result. */
    private Mono<Map<String, OpenWork>> dead(Instant now) {
        return deadLetters
                .counts()
                .timeout(KAFKA_MAX)
                .map(counts -> {
                    Map<String, OpenWork> open = new HashMap<>();
                    counts.forEach((topic, count) ->
                            open.put(topic, OpenWork.of(count.count(), count.more(), count.oldest(), now)));
                    return open;
                })
                .onErrorReturn(Map.of());
    }

    private static <T> OpenWork work(AdminPage<T, PageCursor> page, Function<T, Instant> since, Instant now) {
        List<T> items = page.items();
        return OpenWork.of(items.size(), page.next() != null, items.isEmpty() ? null : since.apply(items.get(0)), now);
    }

    private static SystemStatus status(Instant now, Stored stored, Map<String, OpenWork> dead) {
        Figures figures = Figures.of(stored.instances());
        Facts facts = new Facts(now, false, stored.instances(), figures, stored.unmatched(), dead);
        return SystemStatus.of(
                now,
                AttentionRules.attention(facts),
                stored.instances(),
                figures,
                new OpenJson(
                        stored.unsettled(),
                        stored.unmatched(),
                        stored.breaks(),
                        stored.approvals(),
                        dead.get(Topics.COMMANDS),
                        dead.get(Topics.EVENTS),
                        counted(
                                figures.with("state", "open").max("ligeiro.webhook.lanes"),
                                figures.max("ligeiro.webhook.failing.longest")),
                        counted(
                                figures.max("ligeiro.gateway.republish.open"),
                                figures.max("ligeiro.gateway.unaccepted.oldest"))));
    }

    private static @Nullable OpenWork counted(@Nullable Double count, @Nullable Double oldestSeconds) {
        if (count == null) {
            return null;
        }
        return new OpenWork(
                count.longValue(),
                false,
                oldestSeconds == null || oldestSeconds == 0 ? null : oldestSeconds.longValue());
    }

    private static SystemStatus withoutMongodb(Instant now) {
        return SystemStatus.of(
                now,
                AttentionRules.attention(Facts.withoutMongodb(now)),
                List.of(),
                Figures.of(List.of()),
                new OpenJson(null, null, null, null, null, null, null, null));
    }

    private record Stored(
            List<ServiceInstance> instances,
            OpenWork unsettled,
            OpenWork unmatched,
            OpenWork approvals,
            OpenWork breaks) {}
}
