package dev.ligeiro.desk.search;

import dev.ligeiro.desk.audit.Audited;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.money.OpenDecisions;
import dev.ligeiro.desk.money.UnmatchedController;
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
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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

    private final SearchController transactions;
    private final SearchStore store;
    private final MerchantStore merchants;
    private final EndpointStore endpoints;
    private final UnmatchedController unmatched;
    private final OpenDecisions decisions;

    SearchPages(
            SearchController transactions,
            SearchStore store,
            MerchantStore merchants,
            EndpointStore endpoints,
            UnmatchedController unmatched,
            OpenDecisions decisions) {
        this.transactions = transactions;
        this.store = store;
        this.merchants = merchants;
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
            String text,
            List<FoundTransaction.Json> transactions,
            List<Hit> others,
            String hint,
            @Nullable String next) {

        static Results none(String text, String hint) {
            return new Results(text, List.of(), List.of(), hint, null);
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
        ApiKey key = store.key(text);
        if (key != null) {
            return "redirect:" + hit(key).path();
        }
        model.addAttribute("results", Results.none("", "search.no_key"));
        return "search/search";
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
        Results results =
                text.isEmpty() ? Results.none("", key ? "search.key_in_url" : "search.hint") : found(text, after);
        if (after == null && results.only() != null) {
            return "redirect:" + results.only();
        }
        model.addAttribute("results", results);
        return "search/search";
    }

    private Results found(String text, @Nullable UUID after) {
        UUID id = parsed(text, UUID::fromString);
        if (id != null && id.toString().equalsIgnoreCase(text)) {
            return byId(text, id);
        }
        EventId event = parsed(text, EventId::parse);
        if (event != null) {
            return byId(text, event.transactionId().value());
        }
        if (parsed(text, EndToEndId::new) != null) {
            return byEndToEndId(text);
        }
        ApiKey.Beginning key = parsed(text, ApiKey.Beginning::parse);
        if (key != null) {
            return results(
                    text,
                    null,
                    store.keys(key, HITS_MAX).stream().map(this::hit).toList());
        }
        if (parsed(text, TaxId::parse) != null) {
            return byWords(text, transactionsOr(() -> transactions.find(null, null, null, text, null, after)));
        }
        return byWords(text, transactionsOr(() -> transactions.find(null, null, text, null, null, null)));
    }

    private Results byEndToEndId(String text) {
        List<Hit> payments = unmatched.list(null, text, null).unmatchedPayments().stream()
                .map(one -> new Hit(
                        "payment",
                        text,
                        one.payment().rail(),
                        one.mode() == null
                                ? "/console/unmatched-payments"
                                : "/console/transactions/" + one.payment().transactionId()))
                .toList();
        FoundList found = transactions.find(null, text, null, null, null, null);
        return results(text, found, found.transactions().isEmpty() ? payments : List.of());
    }

    private Results byId(String text, UUID id) {
        FoundList found = transactions.find(id, null, null, null, null, null);
        if (found.transactions().isEmpty()) {
            found = store.ofRefund(id)
                    .map(of -> transactions.find(of, null, null, null, null, null))
                    .orElse(found);
        }
        List<Hit> others = new ArrayList<>();
        merchants.find(id).map(SearchPages::hit).ifPresent(others::add);
        ApiKey key = store.key(id);
        if (key != null) {
            others.add(hit(key));
        }
        WebhookEndpoint endpoint = endpoints.byId(List.of(id)).get(id);
        if (endpoint != null) {
            long number = endpoint.tenant().merchantNumber();
            Merchant owner = merchants.byNumber(List.of(number)).get(number);
            if (owner != null) {
                others.add(new Hit(
                        "endpoint",
                        id.toString(),
                        owner.name(),
                        "/console/merchants/" + owner.id() + "/endpoints/" + id));
            }
        }
        return results(text, found, others);
    }

    /** A reference or a document, which may be the number or the name of a merchant, too. */
    private Results byWords(String text, @Nullable FoundList found) {
        List<Hit> others = new ArrayList<>();
        var number = NUMBER.matcher(text);
        if (number.matches()) {
            merchants.byNumber(List.of(Long.valueOf(number.group(1)))).values().forEach(each -> others.add(hit(each)));
        }
        merchants.page(text, null, HITS_MAX).forEach(each -> others.add(hit(each)));
        return results(text, found, others);
    }

    /** Null if there are too many merchants to search without naming one. */
    private static @Nullable FoundList transactionsOr(Supplier<FoundList> search) {
        try {
            return search.get();
        } catch (Problem refused) {
            return null;
        }
    }

    private static Results results(String text, @Nullable FoundList found, List<Hit> others) {
        return found == null
                ? new Results(text, List.of(), others, others.isEmpty() ? "search.name_one" : "", null)
                : new Results(text, found.transactions(), others, "", found.nextCursor());
    }

    private Hit hit(ApiKey key) {
        String merchant = merchants.find(key.merchantId()).map(Merchant::name).orElse("");
        String name = key.name() == null ? "" : " · " + key.name();
        return new Hit("key", key.prefix(), merchant + name, "/console/keys/" + key.id());
    }

    private static Hit hit(Merchant merchant) {
        return new Hit("merchant", merchant.name(), "#" + merchant.number(), "/console/merchants/" + merchant.id());
    }

    private static <T> @Nullable T parsed(String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException otherForm) {
            return null;
        }
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
