package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts the dead letters that nobody has redriven. It reads Kafka at most every 30 s, however often it is asked. */
@Component
public class CountDeadLetters {

    /** Of each topic, redriven ones included. */
    private static final int READ_MAX = 1_000;

    private static final Duration VALID_FOR = Duration.ofSeconds(30);

    private final Mono<Map<String, Open>> counts;

    CountDeadLetters(ReadTopics topics, RedrivenStore store) {
        this.counts = Flux.fromArray(DeadLetterTopic.values())
                .concatMap(topic -> topics.read(topic.deadLetters(), null, scan -> scan.page(null, READ_MAX)
                                .map(record -> DeadLetterRecord.of(topic, record)))
                        .flatMap(page -> open(topic, page, store)))
                .collectMap(Open::topic)
                .cache(found -> VALID_FOR, failure -> VALID_FOR, () -> VALID_FOR);
    }

    private static Mono<Open> open(
            DeadLetterTopic topic, AdminPage<DeadLetterRecord, RecordPlace> page, RedrivenStore store) {
        return store.redriven(page.items()).map(redriven -> {
            Optional<DeadLetterRecord> oldest = page.items().stream()
                    .filter(each -> !redriven.contains(each.id()))
                    .findFirst();
            return new Open(
                    topic.code(),
                    page.items().size() - redriven.size(),
                    page.next() != null,
                    oldest.map(DeadLetterRecord::at).orElse(null));
        });
    }

    /** By topic. Fails while Kafka or MongoDB is unavailable. */
    public Mono<Map<String, Open>> counts() {
        return counts;
    }

    /** @param more whether the topic has records that were not read */
    public record Open(String topic, int count, boolean more, @Nullable Instant oldest) {}
}
