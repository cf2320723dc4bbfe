package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.operator.admin.AdminPage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts the dead letters that nobody has redriven. It reads Kafka at most every 30 s, however often it is asked. */
@Component
public class CountDeadLetters {

    /** Records of a page, redriven ones included. */
    private static final int PAGE_MAX = 1_000;

    /** Of each topic. The next page is read only if all of a page are redriven. */
    private static final int PAGES_MAX = 20;

    private static final Duration VALID_FOR = Duration.ofSeconds(30);

    private final Mono<Map<String, Open>> counts;

    CountDeadLetters(ReadTopics topics, RedrivenStore store) {
        this.counts = Flux.fromArray(DeadLetterTopic.values())
                .concatMap(topic -> open(topics, store, topic, null, PAGES_MAX))
                .collectMap(Open::topic)
                .cache(found -> VALID_FOR, failure -> VALID_FOR, () -> VALID_FOR);
    }

    private static Mono<Open> open(
            ReadTopics topics, RedrivenStore store, DeadLetterTopic topic, @Nullable RecordPlace after, int pagesLeft) {
        return topics.read(topic.deadLetters(), null, scan -> scan.page(after, PAGE_MAX)
                        .map(record -> DeadLetterRecord.of(topic, record)))
                .flatMap(page -> store.redriven(page.items()).flatMap(redriven -> {
                    Open open = Open.of(topic, page, redriven);
                    return open.count() == 0 && open.more() && pagesLeft > 1
                            ? open(topics, store, topic, page.next(), pagesLeft - 1)
                            : Mono.just(open);
                }));
    }

    /** By topic. Fails while Kafka or MongoDB is unavailable. */
    public Mono<Map<String, Open>> counts() {
        return counts;
    }

    /** @param more whether the topic has records that were not read */
    public record Open(String topic, int count, boolean more, @Nullable Instant oldest) {

        private static Open of(
                DeadLetterTopic topic, AdminPage<DeadLetterRecord, RecordPlace> page, Set<RecordPlace> redriven) {
            List<DeadLetterRecord> open = page.items().stream()
                    .filter(each -> !redriven.contains(each.id()))
                    .toList();
            return new Open(
                    topic.code(),
                    open.size(),
                    page.next() != null,
                    open.isEmpty() ? null : open.get(0).at());
        }
    }
}
