package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.message.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** How many batches run at once, and which of their events are attempted from memory. */
class ConsumerBatchesTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:15Z");
    private static final TopicPartition FIRST = new TopicPartition(Topics.EVENTS, 0);
    private static final TopicPartition SECOND = new TopicPartition(Topics.EVENTS, 1);
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

    /** The last owner of the partition may have begun three batches that it has not committed. */
    @Test
    void theFirstEventsOfABacklogAreNotAttemptedFromMemory() {
        consumer.assigned(FIRST, 10_000);
        List<ConsumerRecord<byte[], byte[]>> records = IntStream.range(1000, 1400)
                .mapToObj(offset -> record(FIRST, offset))
                .toList();
        EventBatch batch = consumer.batch(records);

        assertThat(records.stream().filter(batch::mayAttempt).map(ConsumerRecord::offset))
                .containsExactlyElementsOf(
                        IntStream.range(1300, 1400).mapToObj(Long::valueOf).toList());
        ConsumerRecord<byte[], byte[]> next = record(FIRST, 1400);
        assertThat(consumer.batch(List.of(next)).mayAttempt(next)).isTrue();
    }

    @Test
    void eventsThatArePublishedAfterTheAssignmentAreAttempted() {
        consumer.assigned(FIRST, 5);
        ConsumerRecord<byte[], byte[]> before = record(FIRST, 4);
        ConsumerRecord<byte[], byte[]> after = record(FIRST, 5);
        EventBatch batch = consumer.batch(List.of(before, after));

        assertThat(batch.mayAttempt(before)).isFalse();
        assertThat(batch.mayAttempt(after)).isTrue();
    }

    @Test
    void nothingIsAttemptedOrCommittedWithoutThePartition() {
        consumer.assigned(FIRST, 0);
        consumer.assigned(SECOND, 0);
        ConsumerRecord<byte[], byte[]> lost = record(FIRST, 0);
        ConsumerRecord<byte[], byte[]> held = record(SECOND, 0);
        EventBatch both = consumer.batch(List.of(lost, held));
        assertThat(both.isHeld()).isTrue();
        consumer.unassigned(List.of(FIRST));

        assertThat(both.mayAttempt(lost)).isFalse();
        assertThat(both.isHeld()).isFalse();
        assertThat(consumer.batch(List.of(held)).isHeld()).isTrue();
        // Spring retries a refused batch after its partition was given back
        EventBatch refused = consumer.batch(List.of(lost));
        assertThat(refused.mayAttempt(lost)).isFalse();
        assertThat(refused.isHeld()).isFalse();
    }

    /** An attempt of the first try may still be running; without one, there is nothing to wait for. */
    @Test
    void aRepeatedBatchIsLeftToTheLanesWhenItsAttemptsHaveEnded() {
        consumer.assigned(FIRST, 0);
        ConsumerRecord<byte[], byte[]> record = record(FIRST, 0);
        EventBatch batch = consumer.batch(List.of(record));
        batch.attempting(NOW.plusSeconds(60));
        assertThat(batch.mayAttempt(record)).isTrue();
        assertThat(batch.dueAt(NOW)).isEqualTo(NOW);
        batch.repeat();

        assertThat(batch.mayAttempt(record)).isFalse();
        assertThat(batch.dueAt(NOW)).isEqualTo(NOW.plusSeconds(60));
        assertThat(batch.dueAt(NOW.plusSeconds(61))).isEqualTo(NOW.plusSeconds(61));
    }

    /** The other parts are still in their first try. */
    @Test
    void aPartHasItsOwnTries() {
        consumer.assigned(FIRST, 0);
        List<ConsumerRecord<byte[], byte[]>> records =
                IntStream.range(0, 5).mapToObj(offset -> record(FIRST, offset)).toList();
        EventBatch batch = consumer.batch(records);
        EventBatch first = batch.part(records.subList(0, 3));
        EventBatch second = batch.part(records.subList(3, 5));
        first.attempting(NOW.plusSeconds(60));
        first.repeat();

        assertThat(second.mayAttempt(records.get(3))).isTrue();
        List<EventBatch> halves = first.halves();
        assertThat(halves.stream().map(EventBatch::records))
                .containsExactly(records.subList(0, 1), records.subList(1, 3));
        assertThat(halves).allSatisfy(half -> {
            assertThat(half.mayAttempt(half.records().get(0))).isFalse();
            assertThat(half.dueAt(NOW)).isEqualTo(NOW.plusSeconds(60));
        });
        consumer.unassigned(List.of(FIRST));
        assertThat(halves).noneMatch(EventBatch::isHeld);
    }

    private static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset) {
        return new ConsumerRecord<>(partition.topic(), partition.partition(), offset, new byte[0], new byte[0]);
    }
}
