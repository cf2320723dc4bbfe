package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.DeadLetter;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class EventBatchTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:15Z");
    private static final TopicPartition FIRST = new TopicPartition(Topics.EVENTS, 0);
    private static final TopicPartition SECOND = new TopicPartition(Topics.EVENTS, 1);
    private static final int BATCH_MAX = 10;

    private final ConsumerBatches consumer = new ConsumerBatches(BATCH_MAX);

    /** The last owner of the partition may have begun three batches that it has not committed. */
    @Test
    void theFirstEventsOfABacklogAreNotAttemptedFromMemory() {
        consumer.assigned(FIRST, 1000);
        List<ConsumerRecord<byte[], byte[]>> records = IntStream.range(100, 140)
                .mapToObj(offset -> record(FIRST, offset))
                .toList();
        EventBatch batch = consumer.batch(records);

        assertThat(records.stream().filter(batch::mayAttempt).map(ConsumerRecord::offset))
                .containsExactlyElementsOf(
                        IntStream.range(130, 140).mapToObj(Long::valueOf).toList());
        ConsumerRecord<byte[], byte[]> next = record(FIRST, 140);
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
        first.written(List.of(DeadLetter.failed(records.get(0), new IllegalStateException())));
        first.repeat();

        assertThat(second.mayAttempt(records.get(3))).isTrue();
        List<EventBatch> halves = first.halves();
        assertThat(halves.stream().map(EventBatch::records))
                .containsExactly(records.subList(0, 1), records.subList(1, 3));
        assertThat(halves).allSatisfy(half -> {
            assertThat(half.mayAttempt(half.records().get(0))).isFalse();
            assertThat(half.dueAt(NOW)).isEqualTo(NOW.plusSeconds(60));
            assertThat(half.unwritten(List.of(DeadLetter.failed(records.get(0), new IllegalStateException()))))
                    .isEmpty();
        });
        consumer.unassigned(List.of(FIRST));
        assertThat(halves).noneMatch(EventBatch::isHeld);
    }

    private static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset) {
        return new ConsumerRecord<>(partition.topic(), partition.partition(), offset, new byte[0], new byte[0]);
    }
}
