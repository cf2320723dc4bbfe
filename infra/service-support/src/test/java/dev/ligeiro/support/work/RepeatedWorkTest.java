package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class RepeatedWorkTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> reported = new ArrayList<>();
    private Duration pause = SECOND;
    private Supplier<Mono<Void>> result = Mono::empty;
    private int runs;
    private final RepeatedWork work = new RepeatedWork() {
        @Override
        protected Duration pause() {
            return pause;
        }

        @Override
        protected Mono<Void> run() {
            runs++;
            return result.get();
        }

        @Override
        protected void report(Throwable failure) {
            reported.add(failure.getMessage());
        }
    };
    private VirtualTimeScheduler time;

    @BeforeEach
    void replaceTheTime() {
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void restoreTheTime() {
        work.stop();
        VirtualTimeScheduler.reset();
    }

    @Test
    void eachRunFollowsAPauseOfItsOwn() {
        work.start();
        assertThat(runs).isZero();
        time.advanceTimeBy(SECOND);
        assertThat(runs).isEqualTo(1);

        pause = SECOND.multipliedBy(3);
        time.advanceTimeBy(SECOND);
        assertThat(runs).as("after the pause that had begun").isEqualTo(2);
        time.advanceTimeBy(SECOND.multipliedBy(2));
        assertThat(runs).isEqualTo(2);
        time.advanceTimeBy(SECOND);
        assertThat(runs).isEqualTo(3);
    }

    @Test
    void aRunBeginsWhenTheOneBeforeHasEnded() {
        result = Mono::never;
        work.start();

        time.advanceTimeBy(SECOND.multipliedBy(10));

        assertThat(runs).isEqualTo(1);
    }

    @Test
    void theFirstFailureOfEachOutageIsReportedAndTheWorkGoesOn() {
        work.start();
        result = () -> Mono.error(new IllegalStateException("first outage"));
        time.advanceTimeBy(SECOND.multipliedBy(3));
        assertThat(reported).containsExactly("first outage");

        result = Mono::empty;
        time.advanceTimeBy(SECOND);
        result = () -> {
            throw new IllegalStateException("second outage");
        };
        time.advanceTimeBy(SECOND.multipliedBy(3));

        assertThat(reported).containsExactly("first outage", "second outage");
        assertThat(runs).isEqualTo(7);
    }

    @Test
    void aStopCancelsTheRunAndNoneFollows() {
        AtomicBoolean canceled = new AtomicBoolean();
        result = () -> Mono.<Void>never().doOnCancel(() -> canceled.set(true));
        work.start();
        time.advanceTimeBy(SECOND);
        assertThat(work.isRunning()).isTrue();

        work.stop();
        time.advanceTimeBy(SECOND.multipliedBy(3));

        assertThat(canceled).isTrue();
        assertThat(runs).isEqualTo(1);
        assertThat(work.isRunning()).isFalse();
    }

    @Test
    void aJitteredPauseIsWithinItsPartOnBothSides() {
        List<Long> millis = Stream.generate(
                        () -> RepeatedWork.jittered(SECOND, 0.2).toMillis())
                .limit(1_000)
                .toList();

        assertThat(millis).allMatch(pause -> pause >= 800 && pause <= 1_200);
        assertThat(millis).anyMatch(pause -> pause < 900).anyMatch(pause -> pause > 1_100);
    }
}
