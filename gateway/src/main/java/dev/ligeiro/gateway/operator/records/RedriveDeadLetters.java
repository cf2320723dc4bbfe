package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Redrives dead letters: sends them to the topic that they came from, and remembers those that Kafka has acknowledged. If the gateway
 * dies between the two, or if two calls run at the same time, a record may be sent twice. The second copy has no effect, because commands
 * and events are idempotent.
 */
@Component
class RedriveDeadLetters {

    static final int PAGE_SIZE = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(RedriveDeadLetters.class);
    /** After this time no further page is read. */
    private static final Duration SEARCH_MAX = Duration.ofSeconds(5);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final DeadLetterReader reader;
    private final DeadLetterSender sender;
    private final RedrivenStore store;
    private final Clock clock;

    RedriveDeadLetters(DeadLetterReader reader, DeadLetterSender sender, RedrivenStore store, Clock clock) {
        this.reader = reader;
        this.sender = sender;
        this.store = store;
        this.clock = clock;
    }

    /**
     * At most {@link #PAGE_SIZE} dead letters that were sent; in a dry run those that would be sent. Fails with a problem 422 for unknown
     * ids, with 503 when Kafka has not acknowledged all of them: the acknowledged ones are remembered.
     */
    Mono<Selected> redrive(DeadLetterTopic topic, Selection selection, boolean dryRun) {
        Mono<Selected> selected = select(topic, selection);
        Mono<Selected> flow = dryRun ? selected : selected.flatMap(found -> send(topic, found));
        // not canceled with its request: what Kafka has acknowledged must be remembered
        return Mono.fromFuture(flow::toFuture, true);
    }

    private Mono<Selected> select(DeadLetterTopic topic, Selection selection) {
        if (selection instanceof Selection.Ids ids) {
            return reader.byIds(topic, ids.ids())
                    .doOnNext(found -> requireAll(ids.ids(), found))
                    .flatMap(found -> withoutRedriven(topic, found, null));
        }
        return inRange(topic, (Selection.Range) selection, System.nanoTime());
    }

    /** Reads page after page until one contains a dead letter to send, the topic ends, or the time is up. */
    private Mono<Selected> inRange(DeadLetterTopic topic, Selection.Range range, long startedNanos) {
        return reader.page(topic, range.after(), PAGE_SIZE)
                .flatMap(page -> withoutRedriven(topic, included(range, page.items()), page.next()))
                .flatMap(selected -> selected.isOnlyABeginning() && hasTime(startedNanos)
                        ? inRange(topic, new Selection.Range(range.reason(), selected.next()), startedNanos)
                                .map(rest -> rest.addRedriven(selected.alreadyRedriven()))
                        : Mono.just(selected));
    }

    private Mono<Selected> withoutRedriven(
            DeadLetterTopic topic, List<DeadLetterRecord> found, @Nullable DeadLetterId next) {
        return store.redriven(topic, found).map(redriven -> {
            List<DeadLetterRecord> open = found.stream()
                    .filter(deadLetter -> !redriven.contains(deadLetter.id()))
                    .toList();
            return new Selected(open, found.size() - open.size(), next);
        });
    }

    private Mono<Selected> send(DeadLetterTopic topic, Selected selected) {
        return sender.send(topic, selected.open())
                .flatMap(confirmed -> store.remember(topic, confirmed, clock.instant())
                        .then(Mono.fromSupplier(() -> report(topic, selected, confirmed))));
    }

    private static Selected report(DeadLetterTopic topic, Selected selected, List<DeadLetterRecord> confirmed) {
        int unconfirmed = selected.open().size() - confirmed.size();
        LOG.atInfo()
                .addKeyValue("event.action", "dead_letters_redriven")
                .addKeyValue("topic", topic.code())
                .addKeyValue("records", confirmed.size())
                .addKeyValue("unconfirmed", unconfirmed)
                .log("Dead letters were redriven");
        if (unconfirmed > 0) {
            throw Problem.unavailable(
                    "Kafka has confirmed " + confirmed.size() + " of "
                            + selected.open().size() + " dead letters; call again to send the others",
                    RETRY_AFTER);
        }
        return selected;
    }

    private static List<DeadLetterRecord> included(Selection.Range range, List<DeadLetterRecord> deadLetters) {
        return deadLetters.stream()
                .filter(deadLetter -> range.reason() == null || range.reason().equals(deadLetter.reason()))
                .toList();
    }

    private static void requireAll(List<DeadLetterId> ids, List<DeadLetterRecord> found) {
        Set<DeadLetterId> existing = found.stream().map(DeadLetterRecord::id).collect(Collectors.toSet());
        List<DeadLetterId> unknown =
                ids.stream().filter(id -> !existing.contains(id)).toList();
        if (!unknown.isEmpty()) {
            throw Problem.invalid(List.of(new FieldError(
                    "ids", "unknown", "expected ids of dead letters of the topic, unknown: " + unknown)));
        }
    }

    private static boolean hasTime(long startedNanos) {
        return System.nanoTime() - startedNanos < SEARCH_MAX.toNanos();
    }

    /** The dead letters of one topic that an operator redrives. */
    sealed interface Selection {

        /** @param ids in order, each once */
        record Ids(List<DeadLetterId> ids) implements Selection {}

        /**
         * Dead letters behind {@code after}.
         *
         * @param reason only those with this reason; null for all
         * @param after null for the beginning of the topic
         */
        record Range(@Nullable String reason, @Nullable DeadLetterId after) implements Selection {}
    }

    /**
     * The dead letters of a selection that were not redriven before.
     *
     * @param open in the order of their ids
     * @param alreadyRedriven the number of other dead letters that the selection includes
     * @param next the selection continues behind this id; null if it is complete
     */
    record Selected(List<DeadLetterRecord> open, int alreadyRedriven, @Nullable DeadLetterId next) {

        private boolean isOnlyABeginning() {
            return open.isEmpty() && next != null;
        }

        private Selected addRedriven(int more) {
            return new Selected(open, alreadyRedriven + more, next);
        }
    }
}
