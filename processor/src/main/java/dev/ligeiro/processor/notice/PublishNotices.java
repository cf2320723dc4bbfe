package dev.ligeiro.processor.notice;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Publishes the reports of banks, each once: banks repeat them, and catch-up reads what was reported. */
@Component
class PublishNotices {

    /** An entry has about 300 bytes. What is forgotten is published again, which costs a command and no question to the bank. */
    private static final int REMEMBERED_MAX = 20_000;

    private static final int AT_ONCE_MAX = 64;

    private final RailCommandPublisher publisher;
    private final Cache<TransactionCommand.RailNotice, Boolean> published =
            Caffeine.newBuilder().maximumSize(REMEMBERED_MAX).build();

    PublishNotices(RailCommandPublisher publisher) {
        this.publisher = publisher;
    }

    /** Completes when Kafka has all reports; fails when it does not take one, and the bank or catch-up must repeat them. */
    Mono<Void> publish(List<TransactionCommand.RailNotice> notices) {
        return Flux.fromIterable(notices)
                .filter(notice -> published.getIfPresent(notice) == null)
                .distinct()
                .flatMap(
                        notice -> publisher.publish(notice).doOnSuccess(done -> published.put(notice, true)),
                        AT_ONCE_MAX)
                .then();
    }
}
