package dev.ligeiro.processor.due;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends a command for each row that has become due, in their order, then for the rows that are still due although their commands were
 * processed. At most {@code ligeiro.due.ahead-max} commands wait in Kafka, so neither a backlog nor a lag of the processors fills the
 * topic, and commands of merchants wait for few of these.
 */
@Component
class DispatchDue {

    private static final int BATCH = 500;

    private final DueStore store;
    private final SendLooks looks;
    private final PassedLooks passedLooks;
    private final Clock clock;
    private final int aheadMax;

    DispatchDue(DueStore store, SendLooks looks, PassedLooks passedLooks, Clock clock, DueProperties properties) {
        this.store = store;
        this.looks = looks;
        this.passedLooks = passedLooks;
        this.clock = clock;
        this.aheadMax = properties.aheadMax();
    }

    /** The progress after one pass, which sends at most {@code ahead-max} commands. */
    Mono<DueProgress> pass(DueProgress progress) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return passedLooks
                .hasPassed(progress)
                .map(passed -> passed ? progress.passed(now) : progress)
                .flatMap(known -> newlyDue(known, now))
                .flatMap(this::repeated);
    }

    /** Whether the pass has ended because too many of its commands wait in Kafka. */
    boolean waitsForProcessors(DueProgress progress) {
        return progress.ahead() >= aheadMax;
    }

    private Mono<DueProgress> newlyDue(DueProgress start, Instant now) {
        return Mono.just(start)
                .expand(current -> Mono.justOrEmpty(current.newlyDue(now)).flatMap(range -> rows(range, current)
                        .flatMap(rows ->
                                rows.isEmpty() ? Mono.empty() : looks.send(rows, current.movedTo(behindLast(rows))))))
                .last();
    }

    private Mono<DueProgress> repeated(DueProgress start) {
        return Mono.just(start)
                .expand(current -> Mono.justOrEmpty(current.repeat().next()).flatMap(range -> rows(range, current)
                        .flatMap(rows -> rows.isEmpty()
                                ? Mono.just(current.repeatedTo(range.before()))
                                : looks.send(rows, current.repeatedTo(behindLast(rows))))))
                .last();
    }

    /** Empty when no more commands may be sent now. */
    private Mono<List<DueRow>> rows(DueRange range, DueProgress progress) {
        int max = Math.min(BATCH, aheadMax - progress.ahead());
        return max <= 0 ? Mono.empty() : store.rows(range, max);
    }

    private static DuePosition behindLast(List<DueRow> rows) {
        return DuePosition.behind(rows.get(rows.size() - 1));
    }
}
