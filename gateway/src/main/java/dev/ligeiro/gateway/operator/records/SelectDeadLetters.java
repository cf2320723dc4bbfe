package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Finds the dead letters of a selection that have not been redriven yet. It changes nothing, so it is the whole of a dry run. */
@Component
class SelectDeadLetters {

    static final int PAGE_SIZE = 1_000;

    /** After this time no further page is read. */
    private static final Duration SEARCH_MAX = Duration.ofSeconds(5);

    private final DeadLetterReader reader;
    private final RedrivenStore store;

    SelectDeadLetters(DeadLetterReader reader, RedrivenStore store) {
        this.reader = reader;
        this.store = store;
    }

    /** At most {@link #PAGE_SIZE} dead letters. Fails with a problem 422 if one of the given ids does not exist. */
    Mono<Selected> select(DeadLetterTopic topic, Selection selection) {
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
                .flatMap(page -> withoutRedriven(topic, included(range, page.deadLetters()), page.next()))
                .flatMap(selected -> selected.isOnlyABeginning() && hasTime(startedNanos)
                        ? inRange(topic, range.continuedAfter(selected.next()), startedNanos)
                                .map(rest -> rest.addRedriven(selected.alreadyRedriven()))
                        : Mono.just(selected));
    }

    private Mono<Selected> withoutRedriven(DeadLetterTopic topic, List<DeadLetter> found, @Nullable DeadLetterId next) {
        return store.redriven(topic, found).map(redriven -> {
            List<DeadLetter> open = found.stream()
                    .filter(deadLetter -> !redriven.contains(deadLetter.id()))
                    .toList();
            return new Selected(open, found.size() - open.size(), next);
        });
    }

    private static List<DeadLetter> included(Selection.Range range, List<DeadLetter> deadLetters) {
        return deadLetters.stream()
                .filter(deadLetter -> range.includes(deadLetter.reason()))
                .toList();
    }

    private static void requireAll(List<DeadLetterId> ids, List<DeadLetter> found) {
        Set<DeadLetterId> existing = found.stream().map(DeadLetter::id).collect(Collectors.toSet());
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

    /**
     * @param open in the order of their ids
     * @param alreadyRedriven the number of other dead letters that the selection includes
     * @param next the selection continues behind this id; null if it is complete
     */
    record Selected(List<DeadLetter> open, int alreadyRedriven, @Nullable DeadLetterId next) {

        boolean isOnlyABeginning() {
            return open.isEmpty() && next != null;
        }

        Selected addRedriven(int more) {
            return new Selected(open, alreadyRedriven + more, next);
        }
    }
}
