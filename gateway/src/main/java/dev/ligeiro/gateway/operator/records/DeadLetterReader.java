package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads dead letters from Kafka. Fails with a problem 503 while Kafka is unavailable. */
@Component
class DeadLetterReader {

    /** The memory of one page, exceeded by at most one record. */
    private static final int PAGE_BYTES_MAX = 8 * 1024 * 1024;

    private final ReadTopics topics;

    DeadLetterReader(ReadTopics topics) {
        this.topics = topics;
    }

    /**
     * The next dead letters, the oldest first, one partition after the other.
     *
     * @param after the page begins behind this id; null for the beginning of the topic
     */
    Mono<AdminPage<DeadLetterRecord, DeadLetterId>> page(DeadLetterTopic topic, @Nullable DeadLetterId after, int max) {
        return topics.read(consumer ->
                        scan(consumer, topic).page(after == null ? null : after.in(topic), max, PAGE_BYTES_MAX))
                .map(page -> new AdminPage<>(
                        page.items().stream().map(DeadLetterRecord::new).toList(),
                        page.next() == null ? null : DeadLetterId.of(page.next())));
    }

    /** The dead letters with these ids, in their order. Ids that do not exist are left out. */
    Mono<List<DeadLetterRecord>> byIds(DeadLetterTopic topic, List<DeadLetterId> ids) {
        return topics.read(consumer ->
                scan(consumer, topic).at(ids.stream().map(id -> id.in(topic)).toList(), PAGE_BYTES_MAX).stream()
                        .map(DeadLetterRecord::new)
                        .toList());
    }

    private static TopicScan scan(Consumer<byte[], byte[]> consumer, DeadLetterTopic topic) {
        return new TopicScan(consumer, List.of(topic.deadLetters()), null, ReadTopics.READ_MAX);
    }
}
