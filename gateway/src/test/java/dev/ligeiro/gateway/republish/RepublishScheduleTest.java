package dev.ligeiro.gateway.republish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepublishScheduleTest {

    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

    private final RepublishSchedule schedule =
            new RepublishSchedule(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofHours(1));

    @Test
    void aPassWithoutLagAsksOnce() {
        assertThat(schedule.candidates(NOW, NOW.minusSeconds(65))).containsExactly(NOW);
    }

    @Test
    void aLagIsSearchedInGrowingSteps() {
        assertThat(secondsBack(NOW.minusSeconds(150))).containsExactly(0L, 5L, 10L, 20L, 40L, 80L);
    }

    @Test
    void theFirstPassAsksForTheLatestTimeFirstAndEnds() {
        assertThat(secondsBack(Instant.EPOCH)).startsWith(0L, 5L, 10L).hasSizeLessThan(40);
    }

    @Test
    void whatIsKnownAlreadyIsNotAskedAgain() {
        assertThat(schedule.candidates(NOW, NOW.minusSeconds(60))).isEmpty();
        assertThat(schedule.candidates(NOW, NOW)).isEmpty();
    }

    @Test
    void theScanEndsOneAppendDelayBeforeThePassedTime() {
        assertThat(schedule.createdBefore(NOW)).isEqualTo(NOW.minusSeconds(60));
    }

    @ParameterizedTest
    @CsvSource({"1, 60", "2, 120", "3, 240", "6, 1920", "7, 3600", "8, 3600", "2147483647, 3600"})
    void thePauseDoublesUpToItsMaximum(int copies, long seconds) {
        assertThat(schedule.pause(copies)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void thePauseIsNeverShorterThanTheAppendDelay() {
        RepublishSchedule shortPause =
                new RepublishSchedule(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(1));

        assertThat(shortPause.pause(1)).isEqualTo(Duration.ofSeconds(60));
        assertThat(shortPause.pause(9)).isEqualTo(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @CsvSource({
        // copies, seconds since the last one, expected
        "1, 59,   false",
        "1, 60,   true",
        "2, 119,  false",
        "2, 120,  true",
        "9, 3599, false",
        "9, 3600, true",
    })
    void aRepublishedTransactionIsDueAfterItsPause(int copies, long secondsAgo, boolean due) {
        Republished republished = new Republished(TransactionId.at(NOW), copies, NOW.minusSeconds(secondsAgo));

        assertThat(schedule.isDue(republished, NOW)).isEqualTo(due);
    }

    private List<Long> secondsBack(Instant settledUntil) {
        return schedule.candidates(NOW, settledUntil)
                .map(candidate -> Duration.between(candidate, NOW).toSeconds())
                .toList();
    }
}
