package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** The decision; {@link CommittedOffsetsIT} has the questions to Kafka. */
class CommittedOffsetsTest {

    private static final TopicPartition ONE = new TopicPartition("orders", 0);
    private static final TopicPartition OTHER = new TopicPartition("orders", 1);

    private final List<Duration> questions = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        // committed, start of the log, first record at or after the time (-1: none), end of the log, expected
        "   5, 0,  5, 9, true",
        "   4, 0,  5, 9, false",
        "   9, 0, -1, 9, true",
        "   8, 0, -1, 9, false",
        "   4, 5,  5, 9, true",
        "   0, 9, -1, 9, true",
        "    , 0,  0, 9, true",
        "    , 0,  1, 9, false",
        "    , 9, -1, 9, true",
        "    , 0, -1, 0, true",
    })
    void theFirstRecordThatMayWaitDecides(
            @Nullable Long committed, long logStart, long atTime, long logEnd, boolean expected) {
        Map<TopicPartition, Long> commits = committed == null ? Map.of() : Map.of(ONE, committed);

        assertThat(CommittedOffsets.hasPassed(commits, Map.of(ONE, logStart), Map.of(ONE, atTime), Map.of(ONE, logEnd)))
                .isEqualTo(expected);
    }

    @Test
    void eachPartitionMustBePassed() {
        Map<TopicPartition, Long> starts = Map.of(ONE, 0L, OTHER, 0L);
        Map<TopicPartition, Long> none = Map.of(ONE, -1L, OTHER, -1L);
        Map<TopicPartition, Long> ends = Map.of(ONE, 3L, OTHER, 4L);

        assertThat(CommittedOffsets.hasPassed(Map.of(ONE, 3L, OTHER, 3L), starts, none, ends))
                .isFalse();
        assertThat(CommittedOffsets.hasPassed(Map.of(ONE, 3L, OTHER, 4L), starts, none, ends))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1",
        "300, 1000, 2",
        "1000, 1000, 2",
        "1001, 1125, 6",
        "5000, 5000, 8",
        "100000, 104000, 12",
        "86400000, 90112000, 22",
        "3456000000, 3670016000, 27"
    })
    void theLagIsRoundedUpByAtMostAnEighth(long lagMillis, long expectedMillis, int expectedQuestions) {
        assertThat(lag(Duration.ofMillis(lagMillis))).contains(Duration.ofMillis(expectedMillis));
        assertThat(questions).hasSize(expectedQuestions);
    }

    @Test
    void aGroupThatNeverPassesHasNoKnownLag() {
        assertThat(lag(Duration.ofDays(1_000))).isEmpty();
    }

    private Optional<Duration> lag(Duration oldest) {
        return CommittedOffsets.smallest(age -> {
                    questions.add(age);
                    return Mono.just(age.compareTo(oldest) >= 0);
                })
                .blockOptional();
    }
}
