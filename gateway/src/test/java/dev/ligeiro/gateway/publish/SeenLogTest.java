package dev.ligeiro.gateway.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.kafka.CommittedOffsets.Log;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeenLogTest {

    private static final Instant AT = Instant.parse("2026-03-10T14:30:00Z");

    /** Seen before: the records from 10 to 29, of which the group had passed those below 20. */
    @ParameterizedTest
    @CsvSource({
        "same,    10, 20, 30, false",
        "same,    10, 30, 30, false",
        // the retention has dropped what the group had passed
        "same,    20, 20, 40, false",
        "same,    25, 40, 40, false",
        // or what it had not
        "same,    21, 20, 40, true",
        // the log ends earlier than before
        "same,    10, 20, 29, true",
        "another, 10, 20, 30, true",
        "another,  0,  0,  0, true",
    })
    void recordsAreLostIfTheGroupHasNotPassedThem(
            String topicId, long start, long committed, long end, boolean isLost) {
        SeenLog seen = SeenLog.first(log("same", 10, 20, 30), AT);

        assertThat(seen.hasLost(log(topicId, start, committed, end))).isEqualTo(isLost);
    }

    /** Else each segment that Kafka drops while a group is away would have all changes of a week announced, to nobody. */
    @ParameterizedTest
    @CsvSource({
        "10, -1, 30, false, false",
        "10,  9, 30, true,  false",
        "10, 10, 30, true,  true",
        // Kafka has nothing for it
        "30,  9, 30, true,  true",
        "0,  -1,  0, false, true",
        "0,   0,  0, true,  true",
    })
    void aGroupReadsAgainWhenItIsAtWhatKafkaStillHas(
            long start, long committed, long end, boolean isReadBy, boolean isReached) {
        assertThat(SeenLog.isReadBy(log("same", start, committed, end))).isEqualTo(isReadBy);
        assertThat(SeenLog.isReached(log("same", start, committed, end))).isEqualTo(isReached);
    }

    /** A group without a commit since then does not lose the same records at each look. */
    @Test
    void aLossIsNoticedOnce() {
        SeenLog seen = SeenLog.first(log("same", 10, 20, 30), AT);
        Log dropped = log("same", 25, 20, 30);

        assertThat(seen.hasLost(dropped)).isTrue();
        assertThat(seen.next(dropped, AT.plusSeconds(5)).hasLost(dropped)).isFalse();
    }

    @Test
    void theGroupHasPassedTheTimeOfTheLatestEndsThatItHasReached() {
        SeenLog seen = SeenLog.first(log("same", 0, 0, 10), AT)
                .next(log("same", 0, 9, 20), AT.plusSeconds(5))
                .next(log("same", 0, 9, 30), AT.plusSeconds(10));
        assertThat(seen.passedAt()).isEqualTo(AT);

        SeenLog first = seen.next(log("same", 0, 10, 40), AT.plusSeconds(15));
        assertThat(first.passedAt()).isEqualTo(AT);
        assertThat(first.next(log("same", 0, 39, 50), AT.plusSeconds(20)).passedAt())
                .isEqualTo(AT);
        assertThat(first.next(log("same", 0, 40, 50), AT.plusSeconds(20)).passedAt())
                .isEqualTo(AT.plusSeconds(15));
    }

    private static Log log(String topicId, long start, long committed, long end) {
        return new Log(topicId, Map.of(0, new Log.Span(start, committed, end)));
    }
}
