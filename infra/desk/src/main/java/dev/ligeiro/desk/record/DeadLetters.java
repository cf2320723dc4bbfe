package dev.ligeiro.desk.record;

import dev.ligeiro.desk.http.FieldError;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.desk.record.TopicReader.Page;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Lists and redrives dead letters: sends them to the topic that they came from, and remembers them once Kafka has acknowledged all of them.
 * If a call fails between the two, or if two calls run at the same time, a record may be sent twice. The second copy has no effect, because
 * commands and events are idempotent.
 */
@Component
public class DeadLetters {

    static final int REDRIVEN_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final long CONFIRMATION_SECONDS_MAX = 10;
    private static final int COUNT_MAX = 1_000;
    /** Of each topic. The next page is read only if all of a page are redriven. */
    private static final int COUNT_PAGES_MAX = 20;

    private final TopicReader topics;
    private final KafkaTemplate<byte[], byte[]> kafka;
    private final RedrivenStore store;
    private final Clock clock;
    private final MeterRegistry meters;

    DeadLetters(
            TopicReader topics,
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

    /** @param more whether the topic has records that were not read */
    public record Open(long count, boolean more, @Nullable Instant oldest) {}

    /** How many wait. Fails with a problem 503 while Kafka is unavailable. */
    public Open open(DeadLetterTopic topic) {
        return open(topic, null, COUNT_PAGES_MAX);
    }

    private Open open(DeadLetterTopic topic, @Nullable RecordPlace after, int pagesLeft) {
        Listed page = list(topic, after, COUNT_MAX);
        List<DeadLetter> open = page.open();
        return open.isEmpty() && page.next() != null && pagesLeft > 1
                ? open(topic, page.next(), pagesLeft - 1)
                : new Open(
                        open.size(),
                        page.next() != null,
                        open.isEmpty() ? null : open.get(0).at());
    }

    /**
     * A part of a topic.
     *
     * @param all in the order of their ids
     * @param redriven the ids of those that were redriven before
     * @param next the list continues behind this id; null if it is complete
     */
    record Listed(List<DeadLetter> all, Set<RecordPlace> redriven, @Nullable RecordPlace next) {

        List<DeadLetter> open() {
            return all.stream().filter(each -> !redriven.contains(each.id())).toList();
        }
    }

    Listed list(DeadLetterTopic topic, @Nullable RecordPlace after, int max) {
        return listed(topic, topics.read(topic.deadLetters(), null, scan -> scan.page(after, max)), null);
    }

    /** The next dead letters with this reason; null for all. */
    Listed withReason(DeadLetterTopic topic, @Nullable String reason, @Nullable RecordPlace after) {
        return listed(topic, topics.read(topic.deadLetters(), null, scan -> scan.page(after, REDRIVEN_MAX)), reason);
    }

    /** @throws Problem 422 for unknown ids */
    Listed withIds(DeadLetterTopic topic, Set<RecordPlace> ids) {
        Page found = new Page(topics.read(topic.deadLetters(), null, scan -> scan.at(ids)), null);
        Set<RecordPlace> existing =
                found.records().stream().map(RecordPlace::of).collect(Collectors.toSet());
        List<RecordPlace> unknown =
                ids.stream().filter(id -> !existing.contains(id)).sorted().toList();
        if (!unknown.isEmpty()) {
            throw Problem.invalid(List.of(new FieldError(
                    "ids", "unknown", "expected ids of dead letters of the topic, unknown: " + unknown)));
        }
        return listed(topic, found, null);
    }

    private Listed listed(DeadLetterTopic topic, Page page, @Nullable String reason) {
        List<DeadLetter> all = page.records().stream()
                .map(record -> DeadLetter.of(topic, record))
                .filter(each -> reason == null || reason.equals(each.reason()))
                .toList();
        return new Listed(all, store.redriven(all), page.next());
    }

    /** Sends them in their order. @throws Problem 503 when Kafka has not acknowledged all of them */
    void redrive(DeadLetterTopic topic, List<DeadLetter> open) {
        try {
            CompletableFuture.allOf(open.stream()
                            .map(each -> kafka.send(each.original()))
                            .toArray(CompletableFuture<?>[]::new))
                    .get(CONFIRMATION_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw unconfirmed(open);
        } catch (ExecutionException | TimeoutException | KafkaException away) {
            throw unconfirmed(open);
        }
        store.remember(open, clock.instant());
        redriven(topic).increment(open.size());
        LOG.atInfo()
                .addKeyValue("event.action", "dead_letters_redriven")
                .addKeyValue("topic", topic.code())
                .addKeyValue("records", open.size())
                .log("Dead letters were redriven");
    }

    private static Problem unconfirmed(List<DeadLetter> open) {
        return Problem.of(
                ProblemCode.UNAVAILABLE, "Kafka has not confirmed all " + open.size() + " dead letters; call again");
    }

    private Counter redriven(DeadLetterTopic topic) {
        return Counter.builder("ligeiro.dead.letters.redriven")
                .description("Dead letters that Kafka has acknowledged in their original topic")
                .tag("topic", topic.code())
                .register(meters);
    }
}
