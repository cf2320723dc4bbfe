package dev.ligeiro.processor.notice;

import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankFields;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Reads the list of the payments that a bank has received in a span of time, {@code GET /pix}. Each call is one of the account's. */
@Component
class ReadPayments {

    private static final Logger LOG = LoggerFactory.getLogger(ReadPayments.class);

    /** 100 payments with some refunds are below the bound of an answer. */
    private static final int PAGE_SIZE = 100;

    /** A page above the bound is read in so many parts; a part, too. */
    private static final int PARTS = 10;

    /** A million payments, if a bank never ends its list. */
    private static final int PAGES_MAX = 10_000;

    /** A call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofMinutes(1);

    private final Rails rails;
    private final UnknownPayments unknown;
    private final PublishNotices publish;

    ReadPayments(Rails rails, UnknownPayments unknown, PublishNotices publish) {
        this.rails = rails;
        this.unknown = unknown;
        this.publish = publish;
    }

    /** A span of time at one account; both ends belong to it. */
    record Span(String rail, BankAccount bank, Instant from, Instant to) {}

    /** How many payments the bank has, by one call. */
    Mono<Long> count(Span span) {
        return page("payments_count", span, 0, 1)
                .map(answer -> BankFields.number(paging(answer), "quantidadeTotalDeItens"));
    }

    /**
     * Reads all payments and publishes what they report and is not stored yet.
     *
     * @param pause after each page
     */
    Mono<Void> publish(Span span, Duration pause) {
        return Flux.range(0, PAGES_MAX)
                .concatMap(page -> publishPage(span, page, PAGE_SIZE).delayElement(pause))
                .takeUntil(isLast -> isLast)
                .then();
    }

    /** Whether it is the last page. */
    private Mono<Boolean> publishPage(Span span, int page, int size) {
        return page("payments", span, page, size)
                .flatMap(answer -> {
                    long pages = paging(answer).path("quantidadeDePaginas").asLong(0);
                    boolean isLast =
                            page + 1 >= pages || BankFields.list(answer, "pix").isEmpty();
                    String key = span.bank().properties().receiverKey();
                    return unknown.among(ReadNotices.ofList(span.rail(), key, answer))
                            .flatMap(publish::publish)
                            .thenReturn(isLast);
                })
                .onErrorResume(BankAnswer::isTooLarge, tooLarge -> publishParts(span, page, size));
    }

    /** Reads a page that is too large, because its payments have many refunds. */
    private Mono<Boolean> publishParts(Span span, int page, int size) {
        if (size == 1) {
            LOG.atError()
                    .addKeyValue("event.action", "payment_too_large")
                    .addKeyValue("rail", span.rail())
                    .addKeyValue("from", span.from())
                    .addKeyValue("payment", page)
                    .log("A payment in a bank's list is too large to be read; it is left out");
            return Mono.just(false);
        }
        return Flux.range(page * PARTS, PARTS)
                .concatMap(part -> publishPage(span, part, size / PARTS))
                .takeUntil(isLast -> isLast)
                .last();
    }

    private Mono<JsonNode> page(String what, Span span, int page, int size) {
        Map<String, String> query = Map.of(
                "inicio", span.from().toString(),
                "fim", span.to().toString(),
                "paginacao.paginaAtual", Integer.toString(page),
                "paginacao.itensPorPagina", Integer.toString(size));
        BankAccount bank = span.bank();
        return call(span.rail(), bank.get(what, bank.properties().kind().pixPath() + "/pix", query))
                .map(BankAnswer::json);
    }

    /** Makes a call in its turn. */
    Mono<BankAnswer> call(String rail, Mono<BankAnswer> call) {
        return rails.make(rail, call, START_WITHIN);
    }

    private static JsonNode paging(JsonNode answer) {
        return answer.path("parametros").path("paginacao");
    }
}
