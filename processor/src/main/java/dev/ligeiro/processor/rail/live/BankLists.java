package dev.ligeiro.processor.rail.live;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankFields;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
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

    /** 2.56 million payments. A list that has more is read in halves of its span. */
    private static final int PAGES_MAX = 10_000;

    /** A list is halved so many times at most: a 64th of the span has 2.56 million payments. */
    private static final int HALVINGS_MAX = 6;

    /** A call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofMinutes(1);

    private final Rails rails;
    private final int pageSize;
    private final int pagesMax;

    @Autowired
    public BankLists(Rails rails) {
        this(rails, PAGE_SIZE, PAGES_MAX);
    }

    BankLists(Rails rails, int pageSize, int pagesMax) {
        this.rails = rails;
        this.pageSize = pageSize;
        this.pagesMax = pagesMax;
    }

    /** A span of time at one account; both ends belong to it. */
    public record Span(String rail, BankAccount bank, Instant from, Instant to) {

        private List<Span> halves() {
            Instant middle = from.plus(Duration.between(from, to).dividedBy(2)).truncatedTo(ChronoUnit.MILLIS);
            return List.of(new Span(rail, bank, from, middle), new Span(rail, bank, middle.plusMillis(1), to));
        }
    }

    private record Page(int number, int size, JsonNode answer) {

        /** Some banks promise a page too many. A page without payments before the list's total is no end: the rest was not read. */
        boolean isLast() {
            boolean isTotalRead = (number + 1L) * size >= total(answer);
            if (!BankFields.list(answer, "pix").isEmpty()) {
                return isTotalRead
                        && number + 1
                                >= paging(answer).path("quantidadeDePaginas").asLong(0);
            }
            if ((long) number * size < total(answer)) {
                throw new RailFault("pix: none in page " + number + " (expected: " + total(answer) + " in all)");
            }
            return true;
        }
    }

    /**
     * How many payments the list has, by one call.
     *
     * @param what names the call in metrics
     * @param path that of the list
     */
    public Mono<Long> count(String what, String path, Span span) {
        return page(new Request(what, path, Map.of()), span, 0, 1).map(page -> total(page.answer()));
    }

    /**
     * All pages, each read when the one before is consumed. It fails rather than leave something unread; only a payment that is larger than an
     * answer may be is left out.
     */
    public Flux<JsonNode> pages(String what, String path, Span span) {
        return pages(what, path, span, Map.of());
    }

    /** @param filter more parameters of the list */
    public Flux<JsonNode> pages(String what, String path, Span span, Map<String, String> filter) {
        return pages(new Request(what, path, filter), span, HALVINGS_MAX).map(Page::answer);
    }

    private record Request(String what, String path, Map<String, String> filter) {}

    private Flux<Page> pages(Request request, Span span, int halvings) {
        return Flux.range(0, pagesMax)
                .concatMap(page -> parts(request, span, page, pageSize), 0)
                .concatWith(Mono.error(() -> new RailFault("pages: more (expected: <= " + pagesMax + ")")))
                .takeUntil(Page::isLast)
                .switchOnFirst((first, pages) -> {
                    Page page = first.get();
                    if (page == null || total(page.answer()) <= (long) pagesMax * pageSize) {
                        return pages;
                    }
                    return halvings == 0
                            ? Flux.error(new RailFault("quantidadeTotalDeItens: " + total(page.answer())
                                    + " (expected: <= " + pagesMax * pageSize + " from " + span.from() + " to "
                                    + span.to()
                                    + ")"))
                            : Flux.fromIterable(span.halves()).concatMap(half -> pages(request, half, halvings - 1), 0);
                });
    }

    /** The page, or its parts if it is too large, because its payments have many refunds. */
    private Flux<Page> parts(Request request, Span span, int page, int size) {
        return page(request, span, page, size).flux().onErrorResume(BankAnswer::isTooLarge, tooLarge -> {
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
                    .concatMap(part -> parts(request, span, part, size / PARTS), 0)
                    .takeUntil(Page::isLast);
        });
    }

    private Mono<Page> page(Request request, Span span, int page, int size) {
        Map<String, String> query = new HashMap<>(request.filter());
        query.put("inicio", span.from().toString());
        query.put("fim", span.to().toString());
        query.put("paginacao.paginaAtual", Integer.toString(page));
        query.put("paginacao.itensPorPagina", Integer.toString(size));
        return call(span.rail(), span.bank().get(request.what(), request.path(), query))
                .map(answer -> new Page(page, size, answer.json()));
    }

    /** Makes a call in its turn. */
    public Mono<BankAnswer> call(String rail, Mono<BankAnswer> call) {
        return rails.make(rail, call, START_WITHIN);
    }

    private static long total(JsonNode answer) {
        return BankFields.number(paging(answer), "quantidadeTotalDeItens");
    }

    private static JsonNode paging(JsonNode answer) {
        return answer.path("parametros").path("paginacao");
    }
}
