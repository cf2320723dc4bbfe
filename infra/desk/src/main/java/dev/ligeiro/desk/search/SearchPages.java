package dev.ligeiro.desk.search;

import dev.ligeiro.desk.audit.Audited;
import dev.ligeiro.desk.key.KeyStore;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.money.OpenDecisions;
import dev.ligeiro.desk.money.UnmatchedController;
import dev.ligeiro.desk.money.UnmatchedController.Unmatched;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.search.SearchController.FoundList;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.desk.webhook.EndpointStore;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.message.EventId;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** One box that finds what an id, a document, a reference, a name or a key stands for, and the page of a transaction. */
@Controller
public class SearchPages {

    private static final String SEARCH = "/console/search";
    private static final Pattern NUMBER = Pattern.compile("#?([0-9]{1,9})");
    private static final int HITS_MAX = 20;
    private static final FoundList NOTHING = new FoundList(List.of(), null);

    private final SearchController transactions;
    private final SearchStore store;
    private final MerchantStore merchants;
    private final KeyStore keys;
    private final EndpointStore endpoints;
    private final UnmatchedController unmatched;
    private final OpenDecisions decisions;

    SearchPages(
            SearchController transactions,
            SearchStore store,
            MerchantStore merchants,
            KeyStore keys,
            EndpointStore endpoints,
            UnmatchedController unmatched,
            OpenDecisions decisions) {
        this.transactions = transactions;
        this.store = store;
        this.merchants = merchants;
        this.keys = keys;
        this.endpoints = endpoints;
        this.unmatched = unmatched;
        this.decisions = decisions;
    }

    /**
     * Something else than a transaction.
     *
     * @param kind {@code merchant}, {@code key}, {@code endpoint} or {@code payment}
     */
    public record Hit(String kind, String name, String detail, String path) {}

    /**
     * What a search has found.
     *
     * @param hint a text that says what the search did not do; {@code ""} for none
     * @param next where the search for older transactions begins; null at the end
     */
    public record Results(
            String text, List<FoundTransaction> transactions, List<Hit> others, String hint, @Nullable String next) {

        static Results none(String hint) {
            return new Results("", List.of(), List.of(), hint, null);
        }

        /** Back to this time all transactions were searched. */
        public Instant searchedTo() {
            return new TransactionId(UUID.fromString(String.valueOf(next))).createdAt();
        }

        /** The page of the only result; null if there are several or none. */
        @Nullable
        String only() {
            if (transactions.size() + others.size() != 1 || next != null) {
                return null;
            }
            return others.isEmpty()
                    ? "/console/transactions/" + transactions.get(0).id()
                    : others.get(0).path();
        }
    }

    /** The box of every page sends what was entered in the body. A whole key never gets into a URL: it leads to the key's page. */
    @PostMapping(SEARCH)
    @Needs(Role.READ)
    String entered(@RequestParam String q, Model model) {
        String text = q.strip();
        if (!ApiKey.hasForm(text)) {
            return "redirect:" + SEARCH + "?q=" + Frame.encoded(text);
        }
        Optional<ApiKey> key = keys.withHash(ApiKey.hash(text));
        model.addAttribute("results", Results.none("search.no_key"));
        return key.map(found -> "redirect:" + hit(found).path()).orElse("search/search");
    }

    /** @param key whether a whole key was in an address: it is not looked up, and leaves the address at once */
    @GetMapping(SEARCH)
    @Needs(Role.READ)
    String search(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "false") boolean key,
            @RequestParam @Nullable UUID after,
            Model model) {
        String text = q.strip();
        if (ApiKey.hasForm(text)) {
            return "redirect:" + SEARCH + "?key=true";
        }
        Results results = text.isEmpty() ? Results.none(key ? "search.key_in_url" : "search.hint") : found(text, after);
        if (after == null && results.only() != null) {
            return "redirect:" + results.only();
        }
        model.addAttribute("results", results);
        return "search/search";
    }

    private Results found(String text, @Nullable UUID after) {
        Optional<UUID> id = TransactionId.parse(text)
                .or(() -> parsed(text, EventId::parse).map(EventId::transactionId))
                .map(TransactionId::value);
        if (id.isPresent()) {
            return byId(text, id.get());
        }
        if (parsed(text, EndToEndId::new).isPresent()) {
            return byEndToEndId(text);
        }
        Optional<ApiKey.Beginning> key = parsed(text, ApiKey.Beginning::parse);
        if (key.isPresent()) {
            List<ApiKey> found = keys.beginningWith(key.get(), null);
            return results(
                    text, NOTHING, found.stream().limit(HITS_MAX).map(this::hit).toList());
        }
        return byWords(text, after);
    }

    private Results byId(String text, UUID id) {
        FoundList found = Stream.concat(Stream.of(id), store.ofRefund(id).stream())
                .map(each -> transactions.byId(each, null))
                .filter(list -> !list.transactions().isEmpty())
                .findFirst()
                .orElse(NOTHING);
        List<Hit> others = new ArrayList<>();
        merchants.find(id).map(SearchPages::hit).ifPresent(others::add);
        keys.find(id).map(this::hit).ifPresent(others::add);
        endpoints.byId(List.of(id)).values().stream()
                .map(endpoint -> merchants.name(endpoint.tenant()))
                .map(owner -> new Hit(
                        "endpoint",
                        text,
                        String.valueOf(owner.merchantName()),
                        "/console/merchants/" + owner.merchantId() + "/endpoints/" + id))
                .forEach(others::add);
        return results(text, found, others);
    }

    private Results byEndToEndId(String text) {
        FoundList found = transactions.byEndToEndId(text, null);
        Stream<Unmatched> payments = found.transactions().isEmpty()
                ? unmatched.list(null, text, null).unmatchedPayments().stream()
                : Stream.empty();
        return results(
                text,
                found,
                payments.map(one -> new Hit(
                                "payment",
                                text,
                                one.payment().rail(),
                                one.mode() == null
                                        ? "/console/unmatched-payments"
                                        : "/console/transactions/"
                                                + one.payment().transactionId()))
                        .toList());
    }

    /** A document or a reference, or the number or the name of a merchant. */
    private Results byWords(String text, @Nullable UUID after) {
        List<Hit> others = new ArrayList<>();
        Matcher number = NUMBER.matcher(text);
        if (number.matches()) {
            merchants.byNumber(List.of(Long.valueOf(number.group(1)))).values().forEach(each -> others.add(hit(each)));
        }
        merchants.page(text, null, HITS_MAX).forEach(each -> others.add(hit(each)));
        try {
            FoundList found = parsed(text, TaxId::parse).isPresent()
                    ? transactions.byDocument(text, null, after)
                    : transactions.byReference(text, null);
            return results(text, found, others);
        } catch (Problem tooManyMerchants) {
            return new Results(text, List.of(), others, others.isEmpty() ? "search.name_one" : "", null);
        }
    }

    private static Results results(String text, FoundList found, List<Hit> others) {
        return new Results(text, found.transactions(), others, "", found.nextCursor());
    }

    private Hit hit(ApiKey key) {
        String merchant = merchants.find(key.merchantId()).map(Merchant::name).orElse("");
        String name = key.name() == null ? "" : " · " + key.name();
        return new Hit("key", key.prefix(), merchant + name, "/console/keys/" + key.id());
    }

    private static Hit hit(Merchant merchant) {
        return new Hit("merchant", merchant.name(), "#" + merchant.number(), "/console/merchants/" + merchant.id());
    }

    private static <T> Optional<T> parsed(String text, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException otherForm) {
            return Optional.empty();
        }
    }

    @GetMapping("/console/transactions/{transactionId}/bundle")
    @Needs(Role.MONEY)
    @Audited.PersonalData
    ResponseEntity<byte[]> bundle(@PathVariable String transactionId) {
        return transactions.bundle(transactionId);
    }

    @GetMapping("/console/transactions/{transactionId}")
    @Needs(Role.READ)
    @Audited.PersonalData
    String transaction(@PathVariable String transactionId, Model model) {
        OperatorTransaction shown = transactions.show(transactionId);
        model.addAttribute("shown", shown);
        model.addAttribute("decisions", decisions.of(shown.id()));
        return "search/transaction";
    }
}
