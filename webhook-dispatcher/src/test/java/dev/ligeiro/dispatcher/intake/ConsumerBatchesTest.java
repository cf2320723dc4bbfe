package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.message.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** How many batches run at once. */
class ConsumerBatchesTest {

    private static final int BATCH_MAX = 100;

    private final ConsumerBatches consumer = new ConsumerBatches(BATCH_MAX);
    private final List<Integer> committed = new ArrayList<>();

    @Test
    void twoOfTheLargestRun() {
        begin(BATCH_MAX, Mono.never()).planned(1, 1);
        assertThat(hasRoom()).isTrue();
        begin(BATCH_MAX, Mono.never()).planned(1, 1);
        assertThat(hasRoom()).isFalse();
    }

    @Test
    void aBatchThatIsNotPlannedYetMayBecomeTheLargest() {
        begin(1, Mono.never());
        begin(1, Mono.never());
        assertThat(hasRoom()).isFalse();
    }

    @Test
    void aPartGivesNoRoomBack() {
        EventBatch first = begin(2, Mono.never());
        begin(2, Mono.never()).planned(1, 1);
        first.halves().forEach(half -> half.planned(1, 1));
        assertThat(hasRoom()).isFalse();
        first.planned(1, 1);
        assertThat(hasRoom()).isTrue();
    }

    /** Ten tenths, and one that begins. */
    @Test
    void smallBatchesRunUntilTheyHoldAsMuchAsTheLargest() {
        for (int batch = 0; batch < 11; batch++) {
            assertThat(hasRoom()).isTrue();
            begin(BATCH_MAX / 10, Mono.never()).planned(1, 1);
        }
        assertThat(hasRoom()).isFalse();
    }

    /** Otherwise there would be no limit of the events that the partition's next owner processes again. */
    @Test
    void aBatchKeepsItsRoomUntilTheEarlierOnesHaveEnded() {
        Sinks.Empty<Void> first = Sinks.empty();
        begin(BATCH_MAX, first.asMono());
        begin(BATCH_MAX, Mono.empty());
        assertThat(hasRoom()).isFalse();
        assertThat(committed).isEmpty();

        first.tryEmitEmpty();
        assertThat(committed).containsExactly(0, 1);
        assertThat(hasRoom()).isTrue();
    }

    @Test
    void onlyABatchThatRunsAloneIsAwaited() {
        assertThat(beginWaits(Duration.ofMillis(20))).isTrue();
        assertThat(beginWaits(Duration.ofMinutes(1))).isFalse();
    }

    private boolean beginWaits(Duration aloneMax) {
        long startedNanos = System.nanoTime();
        begin(1, Mono.never(), aloneMax).planned(1, 1);
        return System.nanoTime() - startedNanos >= aloneMax.toNanos();
    }

    /** Else further batches would be attempted, and none committed. */
    @Test
    void noBatchBeginsAfterOneThatFailed() {
        Sinks.Empty<Void> work = Sinks.empty();
        begin(1, work.asMono());
        work.tryEmitError(new IllegalArgumentException("a bug"));
        assertThatThrownBy(this::hasRoom)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a batch has ended without being stored")
                .hasRootCauseMessage("a bug");
    }

    private boolean hasRoom() {
        boolean found = consumer.awaitRoom(Duration.ZERO);
        if (found) {
            consumer.batch(List.of()).committed();
        }
        return found;
    }

    private int begun;

    /** As the listener does. */
    private EventBatch begin(int records, Mono<Void> work) {
        return begin(records, work, Duration.ZERO);
    }

    private EventBatch begin(int records, Mono<Void> work, Duration aloneMax) {
        assertThat(consumer.awaitRoom(Duration.ZERO)).isTrue();
        EventBatch batch = consumer.batch(IntStream.range(0, records)
                .mapToObj(offset -> new ConsumerRecord<>(Topics.EVENTS, 0, offset, new byte[0], new byte[0]))
                .toList());
        int number = begun++;
        consumer.begin(batch, work, () -> committed.add(number), aloneMax);
        return batch;
    }
}
