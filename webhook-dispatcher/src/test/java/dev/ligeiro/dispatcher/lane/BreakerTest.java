package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BreakerTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");
    private static final Breaker BREAKER =
            new Breaker(10, Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofDays(5));

    @ParameterizedTest
    @CsvSource({"REJECTED, 9, false", "REJECTED, 10, true", "TIMED_OUT, 1, false", "TIMED_OUT, 2, true"})
    void itOpensAfterFailuresInARow(AttemptOutcome outcome, int times, boolean open) {
        Health health = after(Health.GOOD, outcome, times);
        assertThat(Breaker.isOpen(health, NOW)).isEqualTo(open);
        assertThat(health.failingSince()).isEqualTo(NOW);
    }

    @Test
    void aSuccessClosesIt() {
        assertThat(BREAKER.after(after(Health.GOOD, AttemptOutcome.REJECTED, 30), AttemptOutcome.DELIVERED, null, NOW))
                .isEqualTo(Health.GOOD);
    }

    /** The attempts that were running when it opened say nothing new. */
    @Test
    void failuresWhileItIsOpenDoNotProlongIt() {
        Health opened = after(Health.GOOD, AttemptOutcome.REJECTED, 10);
        Health later = after(opened, AttemptOutcome.REJECTED, 10);
        assertThat(later.openUntil()).isEqualTo(NOW.plusSeconds(5)).isEqualTo(opened.openUntil());
        assertThat(later.openings()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 10", "3, 20", "6, 160", "7, 300", "100, 300"})
    void eachOpeningDoublesItsTimeUpToAMaximum(int openings, int seconds) {
        Health health = after(Health.GOOD, AttemptOutcome.REJECTED, 10);
        Instant probe = NOW;
        for (int i = 1; i < openings; i++) {
            probe = Objects.requireNonNull(health.openUntil());
            assertThat(Breaker.isOpen(health, probe)).isFalse();
            assertThat(BREAKER.isFailing(health)).isTrue();
            health = BREAKER.after(health, AttemptOutcome.UNREACHABLE, null, probe);
        }
        assertThat(health.openUntil()).isEqualTo(probe.plusSeconds(seconds));
    }

    @Test
    void aPauseThatTheEndpointAskedForOpensIt() {
        Health paused = throttled(Health.GOOD, 3600, NOW);
        assertThat(paused).isEqualTo(new Health(1, 1, NOW.plusSeconds(3600), NOW));
        assertThat(throttled(paused, 3600, NOW.plusSeconds(3))).isEqualTo(new Health(2, 1, paused.openUntil(), NOW));
        assertThat(BREAKER.isFailing(paused)).isTrue();

        Health open = after(Health.GOOD, AttemptOutcome.REJECTED, 10);
        assertThat(throttled(open, 3600, NOW)).isEqualTo(new Health(11, 2, NOW.plusSeconds(3600), NOW));
        assertThat(throttled(open, 1, NOW).openUntil()).isEqualTo(open.openUntil());
    }

    private static Health throttled(Health health, int seconds, Instant now) {
        return BREAKER.after(health, AttemptOutcome.THROTTLED, Duration.ofSeconds(seconds), now);
    }

    @ParameterizedTest
    @EnumSource(AttemptOutcome.class)
    void onlyADeliverysOwnFaultIsNoFailure(AttemptOutcome outcome) {
        boolean failure = outcome != AttemptOutcome.DELIVERED && outcome != AttemptOutcome.UNSENDABLE;
        assertThat(BREAKER.after(Health.GOOD, outcome, null, NOW).failures() > 0)
                .isEqualTo(failure);
    }

    @Test
    void firstAttemptsAreMadeFromMemoryOnlyIfTheEndpointIsHealthyAndQuick() {
        assertThat(free(Health.GOOD, null)).isTrue();
        assertThat(free(after(Health.GOOD, AttemptOutcome.REJECTED, 9), NOW)).isTrue();

        assertThat(free(after(Health.GOOD, AttemptOutcome.REJECTED, 10), null)).isFalse();
        assertThat(free(new Health(10, 1, NOW.minusSeconds(9), NOW), null)).isFalse();
        assertThat(free(Health.GOOD, NOW.plusMillis(1))).isFalse();
    }

    /** The time before the merchant enabled the endpoint again does not count. */
    @ParameterizedTest
    @CsvSource({"PT120H, PT200H, true", "PT119H, PT200H, false", "PT130H, PT120H, true", "PT130H, PT119H, false"})
    void anEndpointThatFailsForFiveDaysIsDisabled(Duration failing, Duration enabled, boolean isDisabled) {
        Health health = new Health(1, 0, null, NOW.minus(failing));
        assertThat(BREAKER.isDisabling(health, NOW.minus(enabled), NOW)).isEqualTo(isDisabled);
        assertThat(BREAKER.isDisabling(Health.GOOD, NOW.minus(enabled), NOW)).isFalse();
    }

    @Test
    void aLaneIsDueWithItsNextDeliveryButNotWhileTheBreakerIsOpen() {
        Lane open = lane(new Health(10, 1, NOW.plusSeconds(9), NOW), null);
        assertThat(BREAKER.dueAt(open, NOW.plusSeconds(8), NOW)).isEqualTo(NOW.plusSeconds(9));
        assertThat(BREAKER.dueAt(open, NOW.plusSeconds(10), NOW)).isEqualTo(NOW.plusSeconds(10));
        assertThat(BREAKER.dueAt(lane(Health.GOOD, null), NOW.minusSeconds(1), NOW))
                .isEqualTo(NOW.minusSeconds(1));
    }

    @Test
    void aLaneWithoutDeliveriesIsKeptWhileItsHistoryMatters() {
        assertThat(BREAKER.dueAt(lane(new Health(1, 0, null, NOW), null), null, NOW))
                .isEqualTo(NOW.plus(Duration.ofDays(10)));
        assertThat(BREAKER.dueAt(lane(new Health(1, 0, null, NOW.minus(Duration.ofDays(10))), null), null, NOW))
                .isNull();
        assertThat(BREAKER.dueAt(lane(Health.GOOD, NOW.plusMillis(1)), null, NOW))
                .isEqualTo(NOW.plusMillis(1));
        assertThat(BREAKER.dueAt(lane(Health.GOOD, NOW), null, NOW)).isNull();
        assertThat(BREAKER.dueAt(lane(Health.GOOD, null), null, NOW)).isNull();
    }

    private static boolean free(Health health, @Nullable Instant slowUntil) {
        return BREAKER.isFree(lane(health, slowUntil), NOW);
    }

    private static Lane lane(Health health, @Nullable Instant slowUntil) {
        return new Lane(new UUID(0, 1), Transactions.TENANT, NOW, null, health, slowUntil, 1);
    }

    private static Health after(Health health, AttemptOutcome outcome, int times) {
        Health after = health;
        for (int i = 0; i < times; i++) {
            after = BREAKER.after(after, outcome, null, NOW);
        }
        return after;
    }
}
