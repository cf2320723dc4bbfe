package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.bundle.BundleWriter;
import dev.ligeiro.desk.console.Answers.OneTransaction;
import dev.ligeiro.desk.console.Answers.Refund;
import dev.ligeiro.desk.console.Answers.SentTo;
import dev.ligeiro.desk.console.Answers.Transaction;
import dev.ligeiro.desk.console.Answers.TransactionList;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.Language;
import jakarta.servlet.http.HttpServletResponse;
import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.BindParam;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of transactions, one transaction with all that belongs to it, its receipt, and the forms that change it. */
@Controller
@RequestMapping(HOME + "/transactions")
public class TransactionPages {

    private static final List<String> MORE_FILTERS =
            List.of("e2e_id", "reference", "identifier", "phone", "pix_key", "platform", "amount_min", "amount_max");
    private static final List<String> FILTERS = Stream.concat(
                    Stream.of("status", "operation", "name_document", "initial_date", "final_date"),
                    MORE_FILTERS.stream())
            .toList();
    private static final List<String> PLACE = List.of("after", "page");

    private final GatewayApi api;
    private final RestClient gateway;
    private final String gatewayUrl;

    TransactionPages(GatewayApi api, RestClient gateway, @Value("${ligeiro.public-url}") String gatewayUrl) {
        this.api = api;
        this.gateway = gateway;
        this.gatewayUrl = gatewayUrl;
    }

    @GetMapping
    String list(@RequestParam Map<String, String> query, Model model) {
        Filters filters = filters(query);
        Map<String, String> asked = Filters.of(query, PLACE).given();
        asked.putAll(filters.given());
        model.addAttribute("filters", filters);
        model.addAttribute("more", MORE_FILTERS);
        model.addAttribute("list", TransactionList.NONE);
        model.addAttribute("errors", Errors.of(() -> model.addAttribute("list", api.transactions(asked))));
        return "console/transactions";
    }

    @GetMapping("/list.csv")
    void file(@RequestParam Map<String, String> query, HttpServletResponse response) {
        GatewayClient.download(gateway, "/api/v1/transactions.csv", "text/csv", filters(query), response);
    }

    /** Amounts as the API takes them. */
    private static Filters filters(Map<String, String> query) {
        Filters filters = Filters.of(query, FILTERS);
        filters.given().replaceAll((name, value) -> name.startsWith("amount") ? Language.amountOf(value) : value);
        return filters;
    }

    @GetMapping("/{id}")
    String show(@PathVariable UUID id, @ModelAttribute("visitor") Visitor visitor, Model model) {
        Transaction transaction = api.transaction(id).one();
        model.addAttribute("transaction", transaction);
        model.addAttribute("history", api.history(id).history());
        model.addAttribute("refunds", api.refunds(id).refunds());
        model.addAttribute("sent", visitor.may(Scope.WEBHOOKS_MANAGE) ? sent(id) : null);
        model.addAttribute("actions", TransactionAction.offered(visitor, transaction));
        model.addAttribute("url", gatewayUrl);
        return "console/transaction";
    }

    /** The signed archive; without one, the page says why. */
    @GetMapping("/{id}/bundle")
    ResponseEntity<byte[]> bundle(@PathVariable UUID id, RedirectAttributes next) {
        try {
            byte[] bundle = api.bundle(id);
            return ResponseEntity.ok()
                    .contentType(MediaType.valueOf("application/zip"))
                    .header(HttpHeaders.CONTENT_DISPOSITION, BundleWriter.disposition(new TransactionId(id)))
                    .body(bundle);
        } catch (ApiProblem problem) {
            MerchantFrame.warn(problem, next);
            return ResponseEntity.status(HttpStatus.FOUND)
                    .location(URI.create(HOME + "/transactions/" + id))
                    .build();
        }
    }

    /** A merchant has at most 20 endpoints. */
    private List<SentTo> sent(UUID id) {
        Map<String, String> ofTransaction = Map.of("transaction_id", id.toString());
        return api.endpoints().webhooks().stream()
                .map(to -> new SentTo(to, api.deliveries(to.id(), ofTransaction).deliveries()))
                .filter(sent -> !sent.deliveries().isEmpty())
                .toList();
    }

    /** To print or send: what was paid, by whom as far as known, and when. */
    @GetMapping("/{id}/receipt")
    String receipt(@PathVariable UUID id, Model model) {
        Transaction transaction = api.transaction(id).one();
        if (!transaction.wasPaid()) {
            return "redirect:" + HOME + "/transactions/" + id;
        }
        model.addAttribute("transaction", transaction);
        model.addAttribute("paidAt", api.history(id).first(Status.PAID.code()));
        return "console/receipt";
    }

    /**
     * The form of an action.
     *
     * @param amount of a refund, as the person writes it
     * @param confirmed the amount whose sum the person has seen; null before that
     * @param once makes a second click the same change
     */
    public record ActionForm(
            @Nullable String amount,
            @BindParam("refund_reference") @Nullable String refundReference,
            @Nullable String description,
            @Nullable String reason,
            @JsonIgnore @Nullable String confirmed,
            @JsonIgnore @Nullable String once) {

        /** As the API takes it. */
        ActionForm of(@Nullable BigDecimal sum) {
            String decimal = sum == null ? null : sum.toPlainString();
            return new ActionForm(decimal, refundReference, description, reason, confirmed, once);
        }
    }

    @GetMapping("/{id}/{action}")
    String form(
            @PathVariable UUID id,
            @PathVariable TransactionAction action,
            @ModelAttribute("visitor") Visitor visitor,
            Model model) {
        String once = UUID.randomUUID().toString();
        ActionForm empty = new ActionForm(null, null, null, null, null, once);
        return form(api.transaction(id).one(), action, empty, Errors.NONE, visitor, model);
    }

    private static String form(
            Transaction transaction,
            TransactionAction action,
            ActionForm form,
            Errors errors,
            Visitor visitor,
            Model model) {
        model.addAttribute("transaction", transaction);
        model.addAttribute("action", action);
        model.addAttribute("form", form);
        model.addAttribute("errors", errors);
        model.addAttribute(
                "isOffered", TransactionAction.offered(visitor, transaction).contains(action));
        return action == TransactionAction.REFUND ? "console/refund" : "console/action";
    }

    /** A refund is made when the person has seen its sum. */
    @PostMapping("/{id}/{action}")
    String change(
            @PathVariable UUID id,
            @PathVariable TransactionAction action,
            ActionForm form,
            @ModelAttribute("visitor") Visitor visitor,
            RedirectAttributes next,
            Model model) {
        BigDecimal sum = action == TransactionAction.REFUND ? Words.amountOf(form.amount()) : null;
        if (action == TransactionAction.REFUND) {
            Transaction transaction = api.transaction(id).one();
            if (sum == null || sum.compareTo(transaction.left()) > 0) {
                Errors errors = Errors.of("amount", sum == null ? "amount" : "above_left");
                return form(transaction, action, form, errors, visitor, model);
            }
            if (!sum.toPlainString().equals(form.confirmed())) {
                model.addAttribute("sum", sum.toPlainString());
                return form(transaction, action, form, Errors.NONE, visitor, model);
            }
        }
        String once = form.once() == null ? UUID.randomUUID().toString() : form.once();
        Errors errors = Errors.of(() -> {
            ResponseEntity<OneTransaction> done = action.isSandbox()
                    ? api.sandbox(id, action.verb(), once)
                    : api.change(id, action.verb(), once, form.of(sum));
            notice(id, action, done.getStatusCode() == HttpStatus.ACCEPTED, next);
        });
        return errors.isEmpty()
                ? "redirect:" + HOME + "/transactions/" + id
                : form(api.transaction(id).one(), action, form, errors, visitor, model);
    }

    /** A refund that the rail has refused at once is no good news. */
    private void notice(UUID id, TransactionAction action, boolean isQueued, RedirectAttributes next) {
        List<Refund> refunds = action == TransactionAction.REFUND && !isQueued
                ? api.refunds(id).refunds()
                : List.of();
        if (!refunds.isEmpty() && refunds.get(0).status().equals("failed")) {
            next.addFlashAttribute("problem", "refund_failed");
        } else {
            next.addFlashAttribute(MerchantFrame.DONE, isQueued ? "queued" : action.code());
        }
    }
}
