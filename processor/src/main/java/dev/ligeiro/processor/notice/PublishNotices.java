package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Publishes the reports of banks, each once: banks repeat them, and catch-up reads what was reported. */
@Component
class PublishNotices {

    private static final int AT_ONCE_MAX = 64;

    private final Function<TransactionCommand.RailNotice, Mono<Void>> publisher;

    /**
     * The marks of published reports, each at the place that its last bits name. Another report may take the place; the forgotten one is then
     * published again, which costs a command and no question to the bank.
     */
    private final AtomicLongArray published = new AtomicLongArray(ProcessorMemoryBudget.REPORTS_REMEMBERED);

    @Autowired
    PublishNotices(RailCommandPublisher publisher) {
        this(publisher::publish);
    }

    PublishNotices(Function<TransactionCommand.RailNotice, Mono<Void>> publisher) {
        this.publisher = publisher;
    }

    /** Completes when Kafka has all reports; fails when it does not take one, and the bank or catch-up must repeat them. */
    Mono<Void> publish(List<TransactionCommand.RailNotice> notices) {
        return Flux.fromIterable(notices)
                .distinct()
                .flatMap(this::publish, AT_ONCE_MAX)
                .then();
    }

    private Mono<Void> publish(TransactionCommand.RailNotice notice) {
        long mark = mark(notice);
        int place = Math.floorMod(mark, published.length());
        return published.get(place) == mark
                ? Mono.empty()
                : publisher.apply(notice).doOnSuccess(done -> published.set(place, mark));
    }

    /** 62 bits of a hash, so two reports never have the same one. */
    private static long mark(TransactionCommand.RailNotice notice) {
        return UUID.nameUUIDFromBytes(notice.toString().getBytes(StandardCharsets.UTF_8))
                .getLeastSignificantBits();
    }
}
