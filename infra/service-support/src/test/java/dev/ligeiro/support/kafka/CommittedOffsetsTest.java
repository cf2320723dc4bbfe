package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decision; {@link CommittedOffsetsIT} has the questions to Kafka. */
class CommittedOffsetsTest {

    private static final TopicPartition ONE = new TopicPartition("orders", 0);
    private static final TopicPartition OTHER = new TopicPartition("orders", 1);

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
}
