package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchBytesTest {

    private final BatchBytes bytes = new BatchBytes(256, 1_000);

    @Test
    void startsSmallAndDoublesUpToTheMaximum() {
        assertThat(bytes.limit()).isEqualTo(256);
        assertThat(bytes.belowMax()).isTrue();

        bytes.batchDone();
        assertThat(bytes.limit()).isEqualTo(512);

        bytes.batchDone();
        assertThat(bytes.limit()).isEqualTo(1_000);
        assertThat(bytes.belowMax()).isFalse();

        bytes.batchDone();
        assertThat(bytes.limit()).isEqualTo(1_000);
    }

    /** With the fault, a fatal part at the end of a batch was read at the full limit after each start. */
    @Test
    void thePartsOfOneBatchDoNotRaiseItsLimit() {
        IntStream.range(0, 20).forEach(part -> bytes.partDone());

        assertThat(bytes.limit()).isEqualTo(256);
    }

    @Test
    void failuresHalveTheLimitDownToOneByteUntilPartsSucceed() {
        bytes.partFailed(256);
        assertThat(bytes.limit()).isEqualTo(128);

        IntStream.range(0, 20).forEach(failure -> bytes.partFailed(128));
        assertThat(bytes.limit()).isEqualTo(1);

        bytes.partDone();
        assertThat(bytes.limit()).isEqualTo(2);

        IntStream.range(0, 20).forEach(part -> bytes.partDone());
        assertThat(bytes.limit()).isEqualTo(256);
    }

    /** With the fault, the next part of the same size timed out as well, and the batch never ended. */
    @Test
    void aTimeOutLowersTheLimitUntilTheBatchIsDone() {
        bytes.partTimedOut(256);
        IntStream.range(0, 20).forEach(part -> bytes.partDone());
        assertThat(bytes.limit()).isEqualTo(128);

        bytes.batchDone();
        assertThat(bytes.limit()).isEqualTo(256);
    }

    @Test
    void aFailedPartBelowTheLimitIsHalvedItself() {
        bytes.partFailed(20);

        assertThat(bytes.limit()).isEqualTo(10);
    }

    @Test
    void noUpdateOfAnotherThreadIsLost() {
        BatchBytes shared = new BatchBytes(1, 1L << 40);

        IntStream.range(0, 40).parallel().forEach(batch -> shared.batchDone());

        assertThat(shared.limit()).isEqualTo(1L << 40);
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "-1, 10", "11, 10"})
    void theStartIsAtLeastOneAndAtMostTheMaximum(long start, long max) {
        assertThatThrownBy(() -> new BatchBytes(start, max))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("start: " + start + " (expected: 1 to " + max + ")");
    }

    @Test
    void partsKeepTheOrderAndTheLimit() {
        assertThat(split(List.of(), 10)).isEmpty();
        assertThat(split(List.of(3, 4, 3), 10)).containsExactly(List.of(3, 4, 3));
        assertThat(split(List.of(3, 4, 4, 6, 1), 10)).containsExactly(List.of(3, 4), List.of(4, 6), List.of(1));
        assertThat(split(List.of(0, 0, 0), 1)).containsExactly(List.of(0, 0, 0));
    }

    @Test
    void anItemAboveTheLimitIsAPartOfItsOwn() {
        assertThat(split(List.of(50), 10)).containsExactly(List.of(50));
        assertThat(split(List.of(1, 50, 60, 1, 2), 10))
                .containsExactly(List.of(1), List.of(50), List.of(60), List.of(1, 2));
        assertThat(split(List.of(1, 2, 3), 1)).containsExactly(List.of(1), List.of(2), List.of(3));
    }

    private static List<List<Integer>> split(List<Integer> items, long limit) {
        return BatchBytes.split(items, Integer::longValue, limit);
    }
}
