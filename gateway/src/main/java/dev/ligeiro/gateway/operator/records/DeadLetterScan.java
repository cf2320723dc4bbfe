package dev.ligeiro.gateway.operator.records;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One read of a dead-letter topic with one consumer. It blocks, for at most its time limit, and must not run on an event loop. */
final class DeadLetterScan {

    private final DeadLetterTopic topic;
    private final TopicScan scan;

    /** @throws TimeoutException if Kafka does not answer in time */
    DeadLetterScan(Consumer<byte[], byte[]> consumer, DeadLetterTopic topic, Duration limit) {
        this.topic = topic;
        this.scan = new TopicScan(consumer, List.of(topic.deadLetters()), null, limit);
    }

    /**
     * The dead letters behind {@code after}: at most {@code max}, fewer if they exceed {@code bytesMax} or the time limit.
     *
     * @throws TimeoutException if Kafka has delivered none of them in time
     */
    DeadLetterPage page(@Nullable DeadLetterId after, int max, int bytesMax) {
        Found found = new Found(max, bytesMax);
        RecordAt next = scan.read(after == null ? null : place(after), found);
        return new DeadLetterPage(
                found.deadLetters,
                next == null ? null : new DeadLetterId(next.partition().partition(), next.offset()));
    }

    /**
     * The dead letters with these ids, in their order. Ids that do not exist are left out.
     *
     * @param ids in order
     * @throws TimeoutException if Kafka has not delivered all of them in time
     */
    List<DeadLetter> byIds(List<DeadLetterId> ids) {
        Set<DeadLetterId> wanted = Set.copyOf(ids);
        List<DeadLetter> found = new ArrayList<>(ids.size());
        DeadLetterId next = new DeadLetterId(0, 0);
        for (DeadLetterId id : ids) {
            if (scan.contains(place(id)) && id.compareTo(next) >= 0) {
                next = new DeadLetterId(id.partition(), scan.readFrom(place(id), record -> {
                    DeadLetter deadLetter = new DeadLetter(record);
                    if (wanted.contains(deadLetter.id())) {
                        found.add(deadLetter);
                    }
                }));
            }
        }
        return found;
    }

    private RecordAt place(DeadLetterId id) {
        return new RecordAt(topic.deadLetters(), id.partition(), id.offset());
    }

    /** The dead letters of a page so far. */
    private static final class Found implements RecordSink {

        private final int max;
        private final int bytesMax;
        private final List<DeadLetter> deadLetters = new ArrayList<>();
        private long bytes;
        private @Nullable RecordAt last;

        private Found(int max, int bytesMax) {
            this.max = max;
            this.bytesMax = bytesMax;
        }

        @Override
        public boolean isFull() {
            return deadLetters.size() >= max || bytes >= bytesMax;
        }

        @Override
        public void add(ConsumerRecord<byte[], byte[]> record) {
            DeadLetter deadLetter = new DeadLetter(record);
            deadLetters.add(deadLetter);
            bytes += deadLetter.bytes();
            last = RecordAt.of(record);
        }

        @Override
        public @Nullable RecordAt last() {
            return last;
        }
    }
}
