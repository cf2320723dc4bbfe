package dev.ligeiro.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.ligeiro.testing.time.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** MongoDB's clock and the machine's are moved by the test. */
class MongoClockTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final long BUSY_MACHINE_MILLIS = 1_000;

    private final TestClock mongodb = TestClock.ticking();
    private final TestClock machine = TestClock.ticking();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final MongoClock clock = new MongoClock(() -> Mono.fromSupplier(mongodb::instant), machine, meters);

    @Test
    void untilTheFirstAnswerItIsTheMachinesAndNotTrusted() {
        assertSameTime(machine);
        assertThat(clock.agrees()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600, -3_600, 6, -6})
    void whenTheMachineIsWrongAtTheStartItIsMongodbs(long aheadSeconds) {
        machine.move(Duration.ofSeconds(aheadSeconds));

        clock.compare().block();

        assertSameTime(mongodb);
        assertThat(clock.agrees()).isFalse();
        assertThat(ahead()).isCloseTo(aheadSeconds, within(1d));
    }

    @Test
    void whenTheMachineIsSetItGoesOn() {
        clock.compare().block();
        assertThat(clock.agrees()).isTrue();

        machine.move(HOUR);
        assertSameTime(mongodb);
        clock.compare().block();

        assertSameTime(mongodb);
        assertThat(clock.agrees()).isFalse();
        assertThat(ahead()).isCloseTo(3_600, within(1d));
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600, -3_600, 6, -6})
    void aStepOfMongodbAloneIsNotFollowed(long seconds) {
        clock.compare().block();

        mongodb.move(Duration.ofSeconds(seconds));
        clock.compare().block();

        assertSameTime(machine);
        assertThat(clock.agrees()).isFalse();

        mongodb.move(Duration.ofSeconds(-seconds));
        clock.compare().block();

        assertThat(clock.agrees()).isTrue();
    }

    /** The machine was paused, or MongoDB's wrong clock is right again. */
    @Test
    void aStepToTheTimeOfTheMachineIsFollowed() {
        clock.compare().block();

        mongodb.move(HOUR);
        machine.move(HOUR);
        clock.compare().block();

        assertSameTime(mongodb);
        assertThat(clock.agrees()).isTrue();
    }

    @Test
    void aSmallDifferenceIsCorrected() {
        clock.compare().block();

        mongodb.move(Duration.ofSeconds(3));
        clock.compare().block();

        assertSameTime(mongodb);
        assertThat(clock.agrees()).isTrue();
    }

    /** Otherwise the clock would jump back and forth on a busy machine. */
    @Test
    void aSlowAnswerThatMayBeOfTheSameTimeChangesNothing() {
        Mono<?> slow = Mono.delay(Duration.ofMillis(400));
        MongoClock asking = new MongoClock(() -> slow.map(done -> mongodb.instant()), machine, meters);
        mongodb.move(Duration.ofMillis(-100));
        Duration before = Duration.between(machine.instant(), asking.instant());

        asking.compare().block();

        Duration after = Duration.between(machine.instant(), asking.instant());
        assertThat(after).isCloseTo(before, Duration.ofMillis(60));
    }

    @Test
    void withoutAnAnswerTheDifferenceIsUnknown() {
        AtomicBoolean away = new AtomicBoolean();
        MongoClock asking = new MongoClock(
                () -> away.get() ? Mono.error(new IllegalStateException("away")) : Mono.fromSupplier(mongodb::instant),
                machine,
                meters);
        asking.compare().block();
        assertThat(ahead()).isCloseTo(0, within(1d));

        away.set(true);
        assertThatIllegalStateException().isThrownBy(() -> asking.compare().block());

        assertThat(meters.find("ligeiro.clock.ahead").gauge()).isNull();
    }

    private void assertSameTime(Clock other) {
        assertThat(clock.instant()).isCloseTo(other.instant(), within(BUSY_MACHINE_MILLIS, ChronoUnit.MILLIS));
    }

    private double ahead() {
        return meters.get("ligeiro.clock.ahead").gauge().value();
    }
}
