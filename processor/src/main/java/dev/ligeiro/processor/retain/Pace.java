package dev.ligeiro.processor.retain;

import dev.ligeiro.support.work.Interval;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The load of one pass over old transactions: batches one after the other, at the permitted rate, while operators have not paused the work. */
public final class Pace {

    /** The most transactions of a batch; the largest have 180 kB. */
    public static final int BATCH = 50;

    /** So long a pass lasts at most, so that other work has its turn; the next pass goes on. */
    private static final Duration PASS_MAX = Duration.ofMinutes(2);

    private final Mono<Boolean> isPaused;
    private final int perSecond;
    private final Clock clock;
    private final Instant end;
    private final Interval questions = new Interval(Duration.ofSeconds(1));

    /**
     * Begins a pass.
     *
     * @param isPaused asks whether operators have paused the work
     * @param perSecond the most transactions in a second
     */
    public Pace(Mono<Boolean> isPaused, int perSecond, Clock clock) {
        this.isPaused = isPaused;
        this.perSecond = perSecond;
        this.clock = clock;
        this.end = clock.instant().plus(PASS_MAX);
    }

    /** The pass ends where it is. */
    public static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1;

        private Ended() {
            super("paused, or the turn of other work", null, false, false);
        }
    }

    /**
     * Repeats a batch until it is empty. Fails with {@link Ended} when the work is paused.
     *
     * @param batch completes with the number of its transactions
     */
    public Mono<Void> batches(Supplier<Mono<Integer>> batch) {
        return requireNotPaused()
                .then(Mono.defer(batch))
                .elapsed()
                .flatMap(millisAndDone -> rest(millisAndDone.getT1(), millisAndDone.getT2()))
                .defaultIfEmpty(false)
                .repeat()
                .takeWhile(goesOn -> goesOn)
                .then();
    }

    private Mono<Boolean> rest(long millis, int done) {
        return Mono.delay(Duration.ofMillis(Math.max(0, 1_000L * done / perSecond - millis)))
                .thenReturn(true);
    }

    /** Fails with {@link Ended} when the work is paused or the time is up. */
    public Mono<Void> requireTime() {
        return Mono.defer(() -> clock.instant().isBefore(end) ? requireNotPaused() : Mono.error(new Ended()));
    }

    private Mono<Void> requireNotPaused() {
        return Mono.defer(() -> questions.begin(clock.instant()) ? isPaused : Mono.just(false))
                .flatMap(paused -> paused ? Mono.error(new Ended()) : Mono.empty());
    }
}
