package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.desk.console.Answers.OneTransaction;
import dev.ligeiro.desk.console.Answers.Refund;
import dev.ligeiro.desk.console.Answers.SentTo;
import dev.ligeiro.desk.console.Answers.Transaction;
import dev.ligeiro.desk.console.Answers.TransactionList;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Status;
import jakarta.servlet.http.HttpServletResponse;
import java.math.BigDecimal;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
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

    static final List<String> FILTERS = List.of(
            "status",
            "operation",
            "name_document",
            "initial_date",
            "final_date",
            "e2e_id",
            "reference",
            "identifier",
            "phone",
            "pix_key",
            "platform");
    private static final List<String> MORE_FILTERS = FILTERS.subList(5, FILTERS.size());
    private static final List<String> STATUSES =
            Arrays.stream(Status.values()).map(Coded::code).toList();

    private final GatewayApi api;
    private final RestClient gateway;
    private final String gatewayUrl;

    TransactionPages(GatewayApi api, RestClient gateway, @Value("${ligeiro.public-url}") String gatewayUrl) {
        this.api = api;
        this.gateway = gateway;
        this.gatewayUrl = gatewayUrl;
    }

    @GetMapping
    String list(@RequestParam Map<String, String> query, HttpServletResponse response, Model model) {
        Filters filters = Filters.of(query, FILTERS);
        Map<String, String> asked = new HashMap<>(filters.given());
        asked.putAll(Filters.of(query, List.of("after", "page")).given());
        model.addAttribute("filters", filters);
        model.addAttribute("statuses", STATUSES);
        model.addAttribute("more", MORE_FILTERS);
        try {
            TransactionList list = api.transactions(asked);
            model.addAttribute("list", list);
            model.addAttribute("errors", Errors.NONE);
            model.addAttribute(
                    "next",
                    list.nextPageUrl() == null
                            ? null
                            : HOME + "/transactions?"
                                    + URI.create(list.nextPageUrl()).getRawQuery());
        } catch (ApiProblem problem) {
            model.addAttribute("errors", Errors.of(problem));
            model.addAttribute("list", TransactionList.NONE);
            response.setStatus(problem.status());
        }
        return "console/transactions";
    }

    @GetMapping("/list.csv")
    void file(@RequestParam Map<String, String> query, HttpServletResponse response) {
        GatewayClient.download(gateway, "/api/v1/transactions.csv", Filters.of(query, FILTERS), response);
    }

    @GetMapping("/{id}")
    String show(@PathVariable UUID id, @ModelAttribute("visitor") Visitor visitor, Model model) {
        Transaction transaction = api.transaction(id).one();
        model.addAttribute("transaction", transaction);
        model.addAttribute("history", api.history(id).history());
        model.addAttribute("refunds", api.refunds(id).refunds());
        model.addAttribute("sent", sent(visitor, id));
        model.addAttribute("showsDeliveries", visitor.may(Scope.WEBHOOKS_MANAGE));
        model.addAttribute("actions", TransactionAction.offered(visitor, transaction));
        model.addAttribute("url", gatewayUrl);
        return "console/transaction";
    }

    /** A merchant has at most 20 endpoints. */
    private List<SentTo> sent(Visitor visitor, UUID id) {
        if (!visitor.may(Scope.WEBHOOKS_MANAGE)) {
            return List.of();
        }
        return api.endpoints().webhooks().stream()
                .map(endpoint -> new SentTo(
                        endpoint,
                        api.deliveries(endpoint.id(), Map.of("transaction_id", id.toString()))
                                .deliveries()))
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
            @Nullable String confirmed,
            @Nullable String once) {}

    @GetMapping("/{id}/{action}")
    String form(
            @PathVariable UUID id,
            @PathVariable TransactionAction action,
            @ModelAttribute Visitor visitor,
            Model model) {
        Transaction transaction = api.transaction(id).one();
        ActionForm empty =
                new ActionForm(null, null, null, null, null, UUID.randomUUID().toString());
        return form(transaction, action, empty, Errors.NONE, visitor, model);
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

    @PostMapping("/{id}/{action}")
    String change(
            @PathVariable UUID id,
            @PathVariable TransactionAction action,
            ActionForm form,
            @ModelAttribute("visitor") Visitor visitor,
            @ModelAttribute("frame") Frame frame,
            HttpServletResponse response,
            RedirectAttributes next,
            Model model) {
        BigDecimal amount = null;
        if (action == TransactionAction.REFUND) {
            Transaction transaction = api.transaction(id).one();
            amount = Words.amountOf(form.amount() == null ? "" : form.amount());
            if (amount == null || amount.compareTo(transaction.left()) > 0) {
                String code = amount == null ? "amount" : "above_left";
                response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
                return form(transaction, action, form, Errors.of("amount", code), visitor, model);
            }
            if (!amount.toPlainString().equals(form.confirmed())) {
                model.addAttribute("sum", amount.toPlainString());
                return form(transaction, action, form, Errors.NONE, visitor, model);
            }
        }
        try {
            ResponseEntity<OneTransaction> done = send(id, action, form, amount);
            notice(id, action, done, frame, next);
            return "redirect:" + HOME + "/transactions/" + id;
        } catch (ApiProblem problem) {
            Errors errors = Errors.of(problem);
            response.setStatus(problem.status());
            return form(api.transaction(id).one(), action, form, errors, visitor, model);
        }
    }

    private ResponseEntity<OneTransaction> send(
            UUID id, TransactionAction action, ActionForm form, @Nullable BigDecimal amount) {
        String once = form.once() == null ? UUID.randomUUID().toString() : form.once();
        if (action.isSandbox()) {
            return api.sandbox(id, action.verb(), once);
        }
        Map<String, String> fields = new HashMap<>();
        if (action == TransactionAction.REFUND) {
            fields.put("amount", amount == null ? "" : amount.toPlainString());
            putIfGiven(fields, "refund_reference", form.refundReference());
            putIfGiven(fields, "description", form.description());
        } else if (action.hasReason()) {
            putIfGiven(fields, "reason", form.reason());
        }
        return api.change(id, action.verb(), once, fields);
    }

    private static void putIfGiven(Map<String, String> fields, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            fields.put(name, value);
        }
    }

    /** A refund that the rail has refused at once is no good news. */
    private void notice(
            UUID id,
            TransactionAction action,
            ResponseEntity<OneTransaction> done,
            Frame frame,
            RedirectAttributes next) {
        boolean isQueued = done.getStatusCode() == HttpStatus.ACCEPTED;
        List<Refund> refunds = action == TransactionAction.REFUND && !isQueued
                ? api.refunds(id).refunds()
                : List.of();
        if (!refunds.isEmpty() && refunds.get(0).status().equals("failed")) {
            next.addFlashAttribute("warning", frame.text("console.done.refund_failed"));
        } else {
            next.addFlashAttribute(
                    OperatorFrame.NOTICE, frame.text("console.done." + (isQueued ? "queued" : action.code())));
        }
    }
}
