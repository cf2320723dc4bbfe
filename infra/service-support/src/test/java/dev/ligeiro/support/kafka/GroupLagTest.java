package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

class GroupLagTest {

    private final List<Duration> questions = new ArrayList<>();

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
        return GroupLag.smallest(age -> {
                    questions.add(age);
                    return Mono.just(age.compareTo(oldest) >= 0);
                })
                .blockOptional();
    }
}
