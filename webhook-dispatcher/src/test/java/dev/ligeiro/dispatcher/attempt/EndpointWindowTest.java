package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.webhook.AttemptOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointWindowTest {

    private EndpointWindow window = window(40);

    @ParameterizedTest
    @CsvSource({
        // in-flight-per-endpoint-max, rounds of successes in which it was full, size
        "40, 0, 20",
        "40, 1, 21",
        "40, 9, 29",
        "40, 99, 40",
        // as the operator wants it, and as it always was
        "20, 99, 20",
        "3, 99, 3",
    })
    void itGrowsByOneInEachRoundUpToTheMaximum(int max, int rounds, int size) {
        window = window(max);
        rounds(rounds, 100);
        assertThat(window.size()).isEqualTo(size);
        assertThat(window.grown()).isEqualTo(size - Math.min(max, 20));
    }

    @Test
    void aRoundHasAsManySuccessesAsTheWindow() {
        rounds(1, 100);
        window.wasFull();
        success(20, 100);
        assertThat(window.size()).isEqualTo(21);
        success(1, 100);
        assertThat(window.size()).isEqualTo(22);
    }

    @Test
    void whatIsNotUsedGoesBack() {
        rounds(20, 100);
        success(40, 100);
        assertThat(window.size()).isEqualTo(39);
        success(2_000, 100);
        assertThat(window.size()).isEqualTo(20);
    }

    @ParameterizedTest
    @CsvSource({
        "DELIVERED, 36",
        "UNSENDABLE, 36",
        "REJECTED, 20",
        "THROTTLED, 20",
        "TIMED_OUT, 20",
        "DISCONNECTED, 20",
        "UNREACHABLE, 20",
    })
    void aFailedAttemptHalvesIt(AttemptOutcome outcome, int size) {
        rounds(16, 100);
        window.ended(outcome, Duration.ofMillis(100), true);
        assertThat(window.size()).isEqualTo(size);
    }

    @Test
    void itIsNeverSmallerThanAtTheBeginning() {
        window = window(200);
        rounds(100, 100);
        for (int expected : new int[] {60, 30, 20, 20}) {
            window.ended(AttemptOutcome.REJECTED, Duration.ofMillis(1), true);
            assertThat(window.size()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // milliseconds of an attempt with 20 at once, then of a few and of most of a round of 30, size
        "100, 100, 100, 31",
        "100, 149, 149, 31",
        // a few that take long say nothing
        "100, 9999, 140, 31",
        // half as long again: more of them only queue
        "100, 151, 151, 20",
        "10, 10, 16, 20",
        // longer than a batch waits
        "200, 200, 251, 20",
        "200, 200, 249, 31",
    })
    void anEndpointThatSlowsDownGetsFewerAgain(int atFirst, int few, int most, int size) {
        rounds(10, atFirst);
        window.wasFull();
        success(14, few);
        success(16, most);
        assertThat(window.size()).isEqualTo(size);
    }

    /** Half of them at most may run to endpoints that hang suddenly. */
    @Test
    void itDoesNotGrowWhenTheWindowsOfAllHaveGrownEnough() {
        window.wasFull();
        for (int i = 0; i < 20; i++) {
            window.ended(AttemptOutcome.DELIVERED, Duration.ofMillis(100), false);
        }
        assertThat(window.size()).isEqualTo(20);
    }

    /** Its latency with 20 at once is measured again. */
    @Test
    void anEndpointThatIsSlowerThanItWasGrowsAgain() {
        rounds(5, 50);
        rounds(1, 90);
        assertThat(window.size()).isEqualTo(20);
        rounds(1 + 5, 90);
        assertThat(window.size()).isEqualTo(25);
    }

    @Test
    void aSlowEndpointKeepsTwenty() {
        rounds(50, 251);
        assertThat(window.size()).isEqualTo(20);
    }

    /** An endpoint with ten workers that take 50 ms each: more attempts at once only wait there. */
    @Test
    void anEndpointAtItsRateGetsAtMostHalfAsManyAgain() {
        int most = 0;
        for (int i = 0; i < 500; i++) {
            rounds(1, 50 * window.size() / 10);
            most = Math.max(most, window.size());
        }
        assertThat(most).isBetween(20, 31);
    }

    private static EndpointWindow window(int max) {
        return new EndpointWindow(EndpointWindow.Limits.of(Settings.of(
                WebhookProperties.class,
                "ligeiro.webhook.in-flight-max=4096",
                "ligeiro.webhook.in-flight-per-tenant-max=512",
                "ligeiro.webhook.in-flight-per-endpoint-max=" + max)));
    }

    private void rounds(int count, int millis) {
        for (int i = 0; i < count; i++) {
            window.wasFull();
            success(window.size(), millis);
        }
    }

    private void success(int count, int millis) {
        for (int i = 0; i < count; i++) {
            window.ended(AttemptOutcome.DELIVERED, Duration.ofMillis(millis), true);
        }
    }
}
