package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Redrives dead letters: sends them to the topic that they came from, and remembers them once Kafka has acknowledged all of them. If a call
 * fails between the two, or if two calls run at the same time, a record may be sent twice. The second copy has no effect, because commands
 * and events are idempotent.
 */
@Component
class RedriveDeadLetters {

    static final int PAGE_SIZE = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(RedriveDeadLetters.class);
    private static final Duration CONFIRMATION_MAX = Duration.ofSeconds(10);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ReadTopics topics;
    private final KafkaTemplate<byte[], byte[]> kafka;
    private final RedrivenStore store;
    private final Clock clock;
    private final MeterRegistry meters;

    RedriveDeadLetters(
            ReadTopics topics,
            KafkaTemplate<byte[], byte[]> kafka,
            RedrivenStore store,
            Clock clock,
            MeterRegistry meters) {
        this.topics = topics;
        this.kafka = kafka;
        this.store = store;
        this.clock = clock;
        this.meters = meters;
        // so that both series exist, with 0, before the first dead letter is redriven
        List.of(DeadLetterTopic.values()).forEach(this::redriven);
    }

    /**
     * The dead letters of a page of the selection that were sent; in a dry run those that would be sent. Fails with a problem 422 for
     * unknown ids, with 503 when Kafka has not acknowledged all of them.
     */
    Mono<Selected> redrive(DeadLetterTopic topic, Selection selection, boolean dryRun) {
        Mono<Selected> selected = select(topic, selection);
        Mono<Selected> flow = dryRun ? selected : selected.flatMap(found -> send(topic, found));
        // not canceled with its request: what Kafka has acknowledged must be remembered
        return Mono.fromFuture(flow::toFuture, true);
    }

    private Mono<Selected> select(DeadLetterTopic topic, Selection selection) {
        return topics.read(topic.deadLetters(), null, scan -> page(topic, scan, selection))
                .flatMap(page -> store.redriven(page.items()).map(redriven -> {
                    List<DeadLetterRecord> open = page.items().stream()
                            .filter(deadLetter -> !redriven.contains(deadLetter.id()))
                            .toList();
                    return new Selected(open, page.items().size() - open.size(), page.next());
                }));
    }

    private static AdminPage<DeadLetterRecord, RecordPlace> page(
            DeadLetterTopic topic, TopicScan scan, Selection selection) {
        if (selection instanceof Selection.Ids ids) {
            List<DeadLetterRecord> found = scan.at(ids.ids()).stream()
                    .map(record -> DeadLetterRecord.of(topic, record))
                    .toList();
            requireAll(ids.ids(), found);
            return new AdminPage<>(found, null);
        }
        Selection.Range range = (Selection.Range) selection;
        AdminPage<DeadLetterRecord, RecordPlace> page =
                scan.page(range.after(), PAGE_SIZE).map(record -> DeadLetterRecord.of(topic, record));
        List<DeadLetterRecord> included = page.items().stream()
                .filter(deadLetter -> range.reason() == null || range.reason().equals(deadLetter.reason()))
                .toList();
        return new AdminPage<>(included, page.next());
    }

    private static void requireAll(List<RecordPlace> ids, List<DeadLetterRecord> found) {
        Set<RecordPlace> existing = found.stream().map(DeadLetterRecord::id).collect(Collectors.toSet());
        List<RecordPlace> unknown =
                ids.stream().filter(id -> !existing.contains(id)).toList();
        if (!unknown.isEmpty()) {
            throw Problem.invalid(List.of(new FieldError(
                    "ids", "unknown", "expected ids of dead letters of the topic, unknown: " + unknown)));
        }
    }

    private Mono<Selected> send(DeadLetterTopic topic, Selected selected) {
        return Mono.fromFuture(() -> sent(selected.open()))
                // a producer blocks while it looks for a broker
                .subscribeOn(Schedulers.boundedElastic())
                .timeout(CONFIRMATION_MAX)
                .onErrorMap(
                        RedriveDeadLetters::isOfKafka,
                        away -> Problem.unavailable(
                                "Kafka has not confirmed all " + selected.open().size() + " dead letters; call again",
                                RETRY_AFTER,
                                away))
                .then(Mono.defer(() -> store.remember(selected.open(), clock.instant())))
                .then(Mono.fromSupplier(() -> report(topic, selected)));
    }

    /** Sends them in their order. Completes when Kafka has acknowledged all of them ({@code acks=all}). */
    private CompletableFuture<Void> sent(List<DeadLetterRecord> deadLetters) {
        return CompletableFuture.allOf(deadLetters.stream()
                .map(deadLetter -> kafka.send(deadLetter.original()))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** The time limit, a failed send, or one that could not begin. Others are defects of this system. */
    private static boolean isOfKafka(Throwable failure) {
        return failure instanceof TimeoutException
                || failure instanceof org.springframework.kafka.KafkaException
                || failure instanceof KafkaException;
    }

    private Selected report(DeadLetterTopic topic, Selected selected) {
        redriven(topic).increment(selected.open().size());
        LOG.atInfo()
                .addKeyValue("event.action", "dead_letters_redriven")
                .addKeyValue("topic", topic.code())
                .addKeyValue("records", selected.open().size())
                .log("Dead letters were redriven");
        return selected;
    }

    private Counter redriven(DeadLetterTopic topic) {
        return Counter.builder("ligeiro.dead.letters.redriven")
                .description("Dead letters that Kafka has acknowledged in their original topic")
                .tag("topic", topic.code())
                .register(meters);
    }

    /** The dead letters of one topic that an operator redrives. */
    sealed interface Selection {

        /** @param ids in order, each once */
        record Ids(List<RecordPlace> ids) implements Selection {}

        /**
         * At most {@link #PAGE_SIZE} dead letters behind {@code after}.
         *
         * @param reason of them only those with this reason; null for all
         * @param after null for the beginning of the topic
         */
        record Range(@Nullable String reason, @Nullable RecordPlace after) implements Selection {}
    }

    /**
     * The dead letters of a selection that were not redriven before.
     *
     * @param open in the order of their ids
     * @param alreadyRedriven the number of other dead letters that the selection includes
     * @param next the selection continues behind this id; null if it is complete
     */
    record Selected(List<DeadLetterRecord> open, int alreadyRedriven, @Nullable RecordPlace next) {}
}
