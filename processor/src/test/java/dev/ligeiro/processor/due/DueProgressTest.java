package dev.ligeiro.processor.due;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class DueProgressTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");

    @Test
    void aRowIsReadOneSecondAfterItsDueTime() {
        DueRange range = DueProgress.NONE.newlyDue(NOW).orElseThrow();

        assertThat(range.from()).isEqualTo(DuePosition.FIRST);
        assertThat(range.before()).isEqualTo(DuePosition.behind(NOW.minusSeconds(1)));
        assertThat(DueProgress.NONE.movedTo(range.before()).newlyDue(NOW)).isEmpty();
    }

    @Test
    void theTimeOfTheLatestAppendIsKept() {
        DueProgress progress = DueProgress.NONE.sent(500, NOW).sent(20, NOW.minusMillis(5));

        assertThat(progress.appendedAt()).isEqualTo(NOW);
        assertThat(progress.ahead()).isEqualTo(520);
        assertThat(progress.passed(NOW).ahead()).isZero();
    }

    @Test
    void onlyRowsSentBeforeAreRepeated() {
        DuePosition cursor = DuePosition.before(NOW.minusSeconds(30));
        DueProgress passed = DueProgress.NONE.movedTo(cursor).passed(NOW);

        DueRange range = passed.repeat().next().orElseThrow();

        assertThat(range).isEqualTo(new DueRange(DuePosition.FIRST, cursor));
        assertThat(passed.movedTo(DuePosition.before(NOW)).repeat()).isEqualTo(passed.repeat());
        assertThat(passed.repeatedTo(range.before()).repeat().next()).isEmpty();
    }

    @Test
    void aPassOverRepeatedRowsEndsBeforeTheNextBegins() {
        DueProgress first = DueProgress.NONE.movedTo(DuePosition.before(NOW)).passed(NOW);

        DueProgress unfinished = first.passed(NOW.plusSeconds(60));
        DueProgress finished = first.repeatedTo(DuePosition.before(NOW));

        assertThat(unfinished.repeat()).isEqualTo(first.repeat());
        assertThat(finished.passed(NOW.plusMillis(4_999)).repeat()).isEqualTo(finished.repeat());
        assertThat(finished.passed(NOW.plusSeconds(5)).repeat())
                .isEqualTo(new DueRepeat(NOW, NOW.plusSeconds(5), finished.cursor(), DuePosition.FIRST));
    }

    /** The processor before had a clock that was two days ahead. */
    @Test
    void progressOfAClockThatWasAheadDoesNotDelayDueRows() {
        Instant ahead = NOW.plus(Duration.ofDays(2));
        DueProgress before = DueProgress.NONE.movedTo(DuePosition.before(ahead)).passed(ahead);

        DueProgress passed = before.passed(NOW);

        assertThat(passed.newlyDue(NOW.plusSeconds(60)))
                .contains(
                        new DueRange(DuePosition.behind(NOW.minusSeconds(1)), DuePosition.behind(NOW.plusSeconds(59))));
        assertThat(passed.repeat().next())
                .as("all rows that were due before")
                .contains(new DueRange(DuePosition.FIRST, DuePosition.behind(NOW.minusSeconds(5))));
        assertThat(passed.passed(NOW.plusSeconds(1)).repeat()).isEqualTo(passed.repeat());
    }

    @Test
    void theProgressIsReadAsItWasWritten() {
        DueRow row = new DueRow(NOW, new TransactionId(UUID.fromString("019cd827-d553-7abc-9def-0123456789ab")));
        DueProgress progress = new DueProgress(
                DuePosition.behind(row),
                new DueRepeat(
                        NOW.minusSeconds(5), NOW, DuePosition.before(NOW), DuePosition.before(NOW.minusSeconds(9))),
                NOW.plusMillis(3),
                77);

        assertThat(DueProgressBson.read(DueProgressBson.write(progress))).isEqualTo(progress);
        assertThat(DueProgressBson.read(new BsonDocument())).isEqualTo(DueProgress.NONE);
        assertThat(DueProgressBson.read(DueProgressBson.write(DueProgress.NONE)))
                .isEqualTo(DueProgress.NONE);
    }
}
