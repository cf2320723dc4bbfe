package dev.ligeiro.processor.notice;

import dev.ligeiro.processor.rail.live.BankLists;
import dev.ligeiro.processor.rail.live.BankLists.Span;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads the list of the payments that a bank has received in a span of time, {@code GET /pix}. */
@Component
class ReadPayments {

    private final BankLists lists;
    private final UnknownPayments unknown;
    private final PublishNotices publish;

    ReadPayments(BankLists lists, UnknownPayments unknown, PublishNotices publish) {
        this.lists = lists;
        this.unknown = unknown;
        this.publish = publish;
    }

    /** How many payments the bank has, by one call. */
    Mono<Long> count(Span span) {
        return lists.count("payments_count", path(span), span);
    }

    /**
     * Reads all payments and publishes what they report and is not stored yet.
     *
     * @param pause after each page
     */
    Mono<Void> publish(Span span, Duration pause) {
        String key = span.bank().properties().receiverKey();
        return lists.pages("payments", path(span), span)
                .concatMap(
                        page -> unknown.among(ReadNotices.ofList(span.rail(), key, page))
                                .flatMap(publish::publish)
                                .thenReturn(page)
                                .delayElement(pause),
                        0)
                .then();
    }

    private static String path(Span span) {
        return span.bank().properties().kind().pixPath() + "/pix";
    }
}
