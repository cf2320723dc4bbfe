package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.Rails;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * The one reader of the banks' lists: {@code GET /pix}, the payments that an account has received in a span of time, and at Efí also those
 * that it has sent, and the claims of payers. Each call is one of the account's, in turns with its transactions'.
 */
@Component
public class BankLists {

    private static final Logger LOG = LoggerFactory.getLogger(BankLists.class);

    /** 256 payments with some refunds are below the bound of an answer. */
    private static final int PAGE_SIZE = 256;

    /** A page above the bound is read in so many parts; a part, too. The page size is a power of it. */
    private static final int PARTS = 4;

    /** 10 million payments. */
    private static final int PAGES_MAX = 40_000;

    /** A call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofMinutes(1);

    private static final String SENT = "/v2/gn/pix/enviados";
    static final String CLAIMS = "/v2/gn/infracoes";
    private static final String PAYMENTS = "pix";
    private static final int UUID_LENGTH = 36;

    /** The bank knows the id, or does not: a repeated question would be answered the same. */
    private static final Set<Integer> NOT_FOUND = Set.of(400, 404, 422);

    public static final Map<String, String> ALL = Map.of();

    /** Only payments of which something was moved back. */
    public static final Map<String, String> RETURNED = Map.of("devolucaoPresente", "true");

    private final Rails rails;
    private final int pagesMax;

    @Autowired
    public BankLists(Rails rails) {
        this(rails, PAGES_MAX);
    }

    public BankLists(Rails rails, int pagesMax) {
        this.rails = rails;
        this.pagesMax = pagesMax;
    }

    /** A span of time at one account; both ends belong to it. */
    public record Span(BankAccount bank, Instant from, Instant to) {}

    private record Page(String name, int number, int size, JsonNode answer) {

        List<JsonNode> items() {
            return BankFields.list(answer, name);
        }

        /** Some banks promise a page too many. A page without items before the list's total is no end: the rest was not read. */
        boolean isLast() {
            boolean isTotalRead = (number + 1L) * size >= total(answer);
            if (!items().isEmpty()) {
                return isTotalRead
                        && number + 1
                                >= paging(answer).path("quantidadeDePaginas").asLong(0);
            }
            if ((long) number * size < total(answer)) {
                throw new RailFault(name + ": none in page " + number + " (expected: " + total(answer) + " in all)");
            }
            return true;
        }
    }

    /**
     * How many payments the account has received, by one call.
     *
     * @param what names the call in metrics
     */
    public Mono<Long> count(String what, Span span) {
        return page(new Request(what, received(span.bank()), PAYMENTS, ALL), span, 0, 1)
                .map(page -> total(page.answer()));
    }

    /**
     * Page by page the payments that the account has received, each page read when the one before is consumed. It fails rather than leave
     * something unread; only a payment that is larger than an answer may be is left out.
     *
     * @param what names the calls in metrics
     * @param filter {@link #ALL} or {@link #RETURNED}
     */
    public Flux<List<BankPayment>> received(String what, Span span, Map<String, String> filter) {
        String key = span.bank().properties().receiverKey();
        return pages(new Request(what, received(span.bank()), PAYMENTS, filter), span)
                .map(page -> BankPayment.of(page.answer(), key));
    }

    /** The same of the payments that the account has sent; none at a bank without such a list. */
    public Flux<List<BankPayment>> sent(String what, Span span, Map<String, String> filter) {
        return listsSent(span.bank())
                ? pages(new Request(what, SENT, PAYMENTS, filter), span).map(page -> page.items().stream()
                        .map(json -> new BankPayment(json, true))
                        .toList())
                : Flux.empty();
    }

    /**
     * One payment with its refunds; empty if the bank does not know it, or cannot be asked for it: only Efí knows what it has sent, by its own
     * id and by ours.
     */
    public Mono<BankPayment> payment(String what, BankAccount bank, String id, boolean isSent) {
        boolean isOurId = id.length() == UUID_LENGTH;
        if (isSent ? !listsSent(bank) : isOurId) {
            return Mono.empty();
        }
        String list = isSent ? SENT : received(bank);
        String path = isOurId ? list + "/id-envio/" + id.replace("-", "") : list + "/" + id;
        return call(bank, bank.get(what, path))
                .filter(answer -> !NOT_FOUND.contains(answer.status()))
                .map(answer -> new BankPayment(answer.json(), isSent))
                .filter(payment -> isSent || payment.isOf(bank.properties().receiverKey()))
                .onErrorResume(BankAnswer::isTooLarge, tooLarge -> Mono.empty());
    }

    private static boolean listsSent(BankAccount bank) {
        return bank.properties().kind() == BankProperties.Kind.EFI;
    }

    private static String received(BankAccount bank) {
        return bank.properties().kind().pixPath() + "/pix";
    }

    /** The claims on payments of the account that were opened in the span; only of an account that {@linkplain BankProperties#claims has} them. */
    public Flux<List<BankClaim>> claims(String what, Span span) {
        return pages(new Request(what, CLAIMS, "infracoes", ALL), span)
                .map(page -> page.items().stream().map(BankClaim::new).toList());
    }

    /** @param list the name of the list in an answer */
    private record Request(String what, String path, String list, Map<String, String> filter) {}

    private Flux<Page> pages(Request request, Span span) {
        return Flux.range(0, pagesMax)
                .concatMap(page -> parts(request, span, page, PAGE_SIZE), 0)
                .concatWith(Mono.error(() -> new RailFault(
                        "pages: more (expected: <= " + pagesMax + " from " + span.from() + " to " + span.to() + ")")))
                .takeUntil(Page::isLast);
    }

    /** The page, or its parts if it is too large, because its payments have many refunds. */
    private Flux<Page> parts(Request request, Span span, int page, int size) {
        return page(request, span, page, size).flux().onErrorResume(BankAnswer::isTooLarge, tooLarge -> {
            if (size == 1) {
                LOG.atError()
                        .addKeyValue("event.action", "payment_too_large")
                        .addKeyValue("rail", span.bank().rail())
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
        return call(span.bank(), span.bank().get(request.what(), request.path(), query))
                .map(answer -> new Page(request.list(), page, size, answer.json()));
    }

    private Mono<BankAnswer> call(BankAccount bank, Mono<BankAnswer> call) {
        return rails.make(bank.rail(), call, START_WITHIN);
    }

    /** How many payments the list has on all its pages. */
    static long total(JsonNode answer) {
        return BankFields.number(paging(answer), "quantidadeTotalDeItens");
    }

    private static JsonNode paging(JsonNode answer) {
        return answer.path("parametros").path("paginacao");
    }
}
