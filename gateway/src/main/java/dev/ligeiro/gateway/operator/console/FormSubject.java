package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Fact;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * The subject of a form, such as a transaction, a merchant or a key: its facts, read from the admin API and shown above the fields, because an
 * operator cannot decide by an id.
 *
 * @param refunds the refunds under way of the transaction, of which a proposal can be about one: amount and time by id
 */
record FormSubject(List<Fact> facts, Map<String, String> refunds) {

    static final String TRANSACTION = "/transactions/{id}";
    static final String MERCHANT = "/merchants/{id}";
    static final String RESOLUTION = "/resolutions/{id}";
    static final String KEY = MERCHANT + "/keys/{key_id}";
    static final String ENDPOINT = MERCHANT + "/endpoints/{endpoint_id}";
    static final String PROPOSE = "/resolutions/new";

    private static final String PAYMENTS = "/admin/unmatched-payments?e2e_id=";

    private FormSubject(List<Fact> facts) {
        this(facts, Map.of());
    }

    /**
     * @param path that of the form, with its variables
     * @param values of the form
     */
    static Mono<FormSubject> of(OperatorVisit visit, String path, Map<String, String> values) {
        if (path.equals(PROPOSE)) {
            return proposed(
                    visit, values.getOrDefault("transaction", ""), values.getOrDefault("unmatched_payment", ""));
        }
        if (path.startsWith(TRANSACTION)) {
            return facts(visit, visit.filled(TRANSACTION), OperatorTransactionPages::decidedFacts)
                    .map(FormSubject::new);
        }
        if (path.startsWith(RESOLUTION)) {
            return resolution(visit).map(FormSubject::new);
        }
        if (path.startsWith(KEY)) {
            return facts(visit, visit.filled(KEY), MerchantPages::key).map(FormSubject::new);
        }
        if (path.startsWith(ENDPOINT)) {
            String id = visit.request().pathVariable("endpoint_id");
            return visit.read("/admin" + visit.filled(MERCHANT) + "/endpoints")
                    .map(found -> one(visit, found.path("endpoints"), id, MerchantPages::endpoint))
                    .map(FormSubject::new);
        }
        return path.startsWith(MERCHANT)
                ? facts(visit, visit.filled(MERCHANT), SearchPages::foundMerchant)
                        .map(FormSubject::new)
                : Mono.just(new FormSubject(List.of()));
    }

    private static Mono<FormSubject> proposed(OperatorVisit visit, String transaction, String payment) {
        if (!payment.isEmpty()) {
            // its id is the rail and the end-to-end id
            String endToEndId = payment.substring(payment.indexOf('/') + 1);
            return visit.read(PAYMENTS + ApiRequest.encoded(endToEndId))
                    .map(found -> one(visit, found.path("unmatched_payments"), payment, OperatorLists::unmatched))
                    .map(FormSubject::new);
        }
        return transaction.isEmpty() ? Mono.just(new FormSubject(List.of())) : transaction(visit, transaction);
    }

    private static Mono<FormSubject> transaction(OperatorVisit visit, String id) {
        return visit.read("/admin/transactions/" + ApiRequest.encoded(id))
                .map(found -> new FormSubject(
                        RowsOf.facts(new Values(visit.text(), found), OperatorTransactionPages::decidedFacts),
                        underWay(visit.text(), found.path("refunds"))));
    }

    private static Map<String, String> underWay(OperatorText text, JsonNode refunds) {
        Map<String, String> found = new LinkedHashMap<>();
        refunds.valueStream()
                .filter(refund -> refund.path("status").asString("").equals("processing"))
                .forEach(refund -> found.put(
                        refund.path("id").asString(),
                        text.amount(refund.path("amount")) + ", " + text.time(refund.path("requested_at"))));
        return found;
    }

    private static Mono<List<Fact>> resolution(OperatorVisit visit) {
        return visit.read("/admin" + visit.filled(RESOLUTION)).flatMap(found -> {
            Values resolution = new Values(visit.text(), found);
            List<Fact> decided = RowsOf.facts(resolution, OperatorLists::resolutions);
            return resolution.has("transaction")
                    ? transaction(visit, resolution.raw("transaction")).map(of -> Stream.of(
                                    decided, refund(visit.text(), of, resolution.raw("refund")), of.facts())
                            .flatMap(List::stream)
                            .toList())
                    : Mono.just(decided);
        });
    }

    private static List<Fact> refund(OperatorText text, FormSubject of, String id) {
        return of.refunds().containsKey(id)
                ? List.of(
                        new Fact(text.of("field.refund"), new Cell(of.refunds().get(id), null, "")))
                : List.of();
    }

    private static Mono<List<Fact>> facts(
            OperatorVisit visit, String target, Function<Values, Map<String, Cell>> cells) {
        return visit.read("/admin" + target).map(found -> RowsOf.facts(new Values(visit.text(), found), cells));
    }

    private static List<Fact> one(
            OperatorVisit visit, JsonNode items, String id, Function<Values, Map<String, Cell>> cells) {
        return items.valueStream()
                .filter(item -> item.path("id").asString("").equals(id))
                .flatMap(item -> RowsOf.facts(new Values(visit.text(), item), cells).stream())
                .toList();
    }
}
