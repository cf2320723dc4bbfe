package dev.ligeiro.processor.archive;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The load of one pass: batches one after the other, at the permitted rate, while operators have not paused the work. */
final class Pace {

    private final MonthStore months;
    private final int perSecond;
    private final Clock clock;
    private final Instant end;

    /** @param max so long a pass lasts at most, so that other months have their turn; the next pass goes on */
    Pace(MonthStore months, int perSecond, Clock clock, Duration max) {
        this.months = months;
        this.perSecond = perSecond;
        this.clock = clock;
        this.end = clock.instant().plus(max);
    }

    /** The pass ends where it is. */
    static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1;

        Ended() {
            super("paused, or another month's turn", null, false, false);
        }
    }

    /** Until one is empty. Fails with {@link Ended} when the work is paused. */
    Mono<Void> batches(Supplier<Mono<Integer>> batch) {
        return requireNotPaused()
                .then(Mono.defer(batch))
                .flatMap(done ->
                        Mono.delay(Duration.ofMillis(1_000L * done / perSecond)).thenReturn(true))
                .defaultIfEmpty(false)
                .repeat()
                .takeWhile(goesOn -> goesOn)
                .then();
    }

    /** Between two files. Fails with {@link Ended} when the time is up too. */
    Mono<Void> requireTime() {
        return Mono.defer(() -> clock.instant().isBefore(end) ? requireNotPaused() : Mono.error(new Ended()));
    }

    private Mono<Void> requireNotPaused() {
        return months.isPaused().flatMap(isPaused -> isPaused ? Mono.error(new Ended()) : Mono.empty());
    }

    /** A call that blocks. */
    static <T> Mono<T> blocking(Callable<T> call) {
        return Mono.fromCallable(call).subscribeOn(Schedulers.boundedElastic());
    }
}
