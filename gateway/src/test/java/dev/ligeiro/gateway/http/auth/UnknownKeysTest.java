package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class UnknownKeysTest {

    private final TestClock clock = TestClock.frozen();
    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final UnknownKeys unknown = new UnknownKeys(clock, timer);
    private final AtomicInteger refused = new AtomicInteger();

    private void request(int times) {
        for (int i = 0; i < times; i++) {
            unknown.refuse().subscribe(none -> {}, problem -> refused.incrementAndGet());
        }
    }

    @Test
    void theFirstOnesOfASecondAreRefusedAtOnceAndFurtherOnesLater() {
        request(UnknownKeys.AT_ONCE_MAX + 5);
        assertThat(refused).hasValue(UnknownKeys.AT_ONCE_MAX);

        timer.advanceTimeBy(UnknownKeys.DELAY.minusMillis(1));
        assertThat(refused).hasValue(UnknownKeys.AT_ONCE_MAX);

        timer.advanceTimeBy(Duration.ofMillis(1));
        assertThat(refused).hasValue(UnknownKeys.AT_ONCE_MAX + 5);
    }

    @Test
    void eachSecondHasItsOwn() {
        request(UnknownKeys.AT_ONCE_MAX);
        clock.move(Duration.ofSeconds(1));
        request(UnknownKeys.AT_ONCE_MAX);

        assertThat(refused).hasValue(2 * UnknownKeys.AT_ONCE_MAX);
    }
}
