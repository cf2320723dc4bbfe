package dev.ligeiro.processor.rail.live;

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

/** Reads the lists of banks: what was received and sent in a span of time. Each call is one of the account's, in turns with its transactions'. */
@Component
public class BankLists {

    private static final Logger LOG = LoggerFactory.getLogger(BankLists.class);

    /** 256 payments with some refunds are below the bound of an answer. */
    private static final int PAGE_SIZE = 256;

    /** A page above the bound is read in so many parts; a part, too. The page size is a power of it. */
    private static final int PARTS = 4;

    /** 2.5 million payments, if a bank never ends its list. */
    private static final int PAGES_MAX = 10_000;

    /** A call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofMinutes(1);

    private final Rails rails;

    public BankLists(Rails rails) {
        this.rails = rails;
    }

    /** A span of time at one account; both ends belong to it. */
    public record Span(String rail, BankAccount bank, Instant from, Instant to) {}

    private record Page(int number, JsonNode answer) {

        boolean isLast() {
            return number + 1 >= paging(answer).path("quantidadeDePaginas").asLong(0)
                    || BankFields.list(answer, "pix").isEmpty();
        }
    }

    /**
     * How many payments the list has, by one call.
     *
     * @param what names the call in metrics
     * @param path that of the list
     */
    public Mono<Long> count(String what, String path, Span span) {
        return page(what, path, span, 0, 1)
                .map(page -> BankFields.number(paging(page.answer()), "quantidadeTotalDeItens"));
    }

    /** All pages, each read when the one before is consumed. A payment that is larger than an answer may be is left out. */
    public Flux<JsonNode> pages(String what, String path, Span span) {
        return Flux.range(0, PAGES_MAX)
                .concatMap(page -> parts(what, path, span, page, PAGE_SIZE), 0)
                .takeUntil(Page::isLast)
                .map(Page::answer);
    }

    /** The page, or its parts if it is too large, because its payments have many refunds. */
    private Flux<Page> parts(String what, String path, Span span, int page, int size) {
        return page(what, path, span, page, size).flux().onErrorResume(BankAnswer::isTooLarge, tooLarge -> {
            if (size == 1) {
                LOG.atError()
                        .addKeyValue("event.action", "payment_too_large")
                        .addKeyValue("rail", span.rail())
                        .addKeyValue("from", span.from())
                        .addKeyValue("payment", page)
                        .log("A payment in a bank's list is too large to be read; it is left out");
                return Flux.empty();
            }
            return Flux.range(page * PARTS, PARTS)
                    .concatMap(part -> parts(what, path, span, part, size / PARTS), 0)
                    .takeUntil(Page::isLast);
        });
    }

    private Mono<Page> page(String what, String path, Span span, int page, int size) {
        Map<String, String> query = Map.of(
                "inicio", span.from().toString(),
                "fim", span.to().toString(),
                "paginacao.paginaAtual", Integer.toString(page),
                "paginacao.itensPorPagina", Integer.toString(size));
        return call(span.rail(), span.bank().get(what, path, query)).map(answer -> new Page(page, answer.json()));
    }

    /** Makes a call in its turn. */
    public Mono<BankAnswer> call(String rail, Mono<BankAnswer> call) {
        return rails.make(rail, call, START_WITHIN);
    }

    private static JsonNode paging(JsonNode answer) {
        return answer.path("parametros").path("paginacao");
    }
}
