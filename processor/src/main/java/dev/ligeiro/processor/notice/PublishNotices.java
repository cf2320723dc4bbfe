package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Publishes reports about payments, from notices and from catch-up. The same report comes often; a repeated one costs the processor a read. */
@Component
class PublishNotices {

    private static final int AT_ONCE_MAX = 64;

    private final Function<TransactionCommand.RailNotice, Mono<Void>> publisher;

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
                .flatMap(publisher, AT_ONCE_MAX)
                .then();
    }
}
