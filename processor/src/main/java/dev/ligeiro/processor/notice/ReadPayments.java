package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankProperties;
import dev.ligeiro.processor.rail.live.BankLists;
import dev.ligeiro.processor.rail.live.BankLists.Span;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the lists of the payments that a bank has received in a span of time, {@code GET /pix}, and of those that it has sent. */
@Component
class ReadPayments {

    private static final Logger LOG = LoggerFactory.getLogger(ReadPayments.class);

    private static final String SENT = "/v2/gn/pix/enviados";
    private static final Map<String, String> RETURNED = Map.of("devolucaoPresente", "true");

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
        return publish(
                lists.pages("payments", path(span), span).map(page -> ReadNotices.ofList(span.rail(), key, page)),
                report -> true,
                pause);
    }

    /**
     * The same for the payments of which something was moved back, those that Efí has sent too. Of payments without an id of ours, the recorded
     * ones alone count: others may be from before Ligeiro had the account. A list that cannot be read is logged.
     */
    Mono<Void> publishReturned(Span span, Duration pause) {
        String rail = span.rail();
        String key = span.bank().properties().receiverKey();
        Flux<List<RailNotice>> received = lists.pages("payments_returned", path(span), span, RETURNED)
                .map(page -> ReadNotices.ofList(rail, key, page));
        Flux<List<RailNotice>> sent = span.bank().properties().kind() == BankProperties.Kind.EFI
                // only hints: who sends a payment in the bank's app needs no transaction here
                ? lists.pages("sent_returned", SENT, span, RETURNED).map(page -> ReadNotices.ofNotice(rail, key, page))
                : Flux.empty();
        return publish(
                Flux.concatDelayError(received, sent).onErrorResume(failure -> {
                    reportUnread(span, failure);
                    return Flux.empty();
                }),
                ReadNotices::hasOurId,
                pause);
    }

    private static void reportUnread(Span span, Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "returned_unread")
                .addKeyValue("rail", span.rail())
                .addKeyValue("from", span.from())
                .addKeyValue("to", span.to())
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("A bank's payments of this time that have refunds were not read; they are read again a day later");
    }

    private Mono<Void> publish(Flux<List<RailNotice>> pages, Predicate<RailNotice> isPublished, Duration pause) {
        return pages.concatMap(
                        page -> unknown.among(page)
                                .map(reports ->
                                        reports.stream().filter(isPublished).toList())
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
