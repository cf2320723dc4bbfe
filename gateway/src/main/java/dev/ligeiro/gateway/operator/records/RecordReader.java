package dev.ligeiro.gateway.operator.records;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads commands and events from Kafka. Fails with a problem 503 while Kafka is unavailable. */
@Component
class RecordReader {

    private final ReadTopics topics;

    RecordReader(ReadTopics topics) {
        this.topics = topics;
    }

    /**
     * At most {@code max} records, fewer if they exceed {@code bytesMax} or the time limit.
     *
     * @param since each partition begins with its first record of this time or later
     * @param after the page begins behind it; null for the first page
     */
    Mono<RecordPage> page(Instant since, @Nullable RecordPosition after, int max, int bytesMax) {
        return topics.read(consumer -> {
            RecordDraft draft = new RecordDraft(max, bytesMax);
            RecordAt next = new TopicScan(consumer, RecordPosition.TOPICS, since, ReadTopics.READ_MAX)
                    .read(after == null ? null : after.place(), draft);
            return draft.page(next == null ? null : RecordPosition.of(next));
        });
    }
}
