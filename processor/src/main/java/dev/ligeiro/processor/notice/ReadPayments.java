package dev.ligeiro.processor.notice;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankFields;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Reads the list of the payments that a bank has received in a span of time, {@code GET /pix}. Each call is one of the account's. */
@Component
class ReadPayments {

    /** 100 payments with some refunds are below the bound of an answer. */
    private static final int PAGE_SIZE = 100;

    /** A call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofMinutes(1);

    private final Rails rails;
    private final PublishNotices publish;

    ReadPayments(Rails rails, PublishNotices publish) {
        this.rails = rails;
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
     * Reads all payments and publishes what they report.
     *
     * @param pause after each page
     */
    Mono<Void> publish(Span span, Duration pause) {
        return publishPage(span, 0)
                .expand(next -> Mono.delay(pause).then(publishPage(span, next)))
                .then();
    }

    /** Gives the next page; empty after the last one. */
    private Mono<Integer> publishPage(Span span, int page) {
        return page("payments", span, page, PAGE_SIZE).flatMap(answer -> {
            int pages = paging(answer).path("quantidadeDePaginas").asInt(0);
            String key = span.bank().properties().receiverKey();
            return publish.publish(ReadNotices.ofList(span.rail(), key, answer))
                    .then(page + 1 < pages ? Mono.just(page + 1) : Mono.empty());
        });
    }

    private Mono<JsonNode> page(String what, Span span, int page, int size) {
        Map<String, String> query = Map.of(
                "inicio", span.from().toString(),
                "fim", span.to().toString(),
                "paginacao.paginaAtual", Integer.toString(page),
                "paginacao.itensPorPagina", Integer.toString(size));
        BankAccount bank = span.bank();
        return call(span.rail(), bank.get(what, bank.properties().kind().pixPath() + "/pix", query))
                .map(ReadPayments::body);
    }

    /** Makes a call in its turn. */
    Mono<BankAnswer> call(String rail, Mono<BankAnswer> call) {
        return rails.make(rail, call, START_WITHIN);
    }

    /** The body of a good answer. */
    static JsonNode body(BankAnswer answer) {
        if (!answer.isDone()) {
            throw new RailFault("status: " + answer.status());
        }
        return answer.body();
    }

    private static JsonNode paging(JsonNode answer) {
        return answer.path("parametros").path("paginacao");
    }
}
