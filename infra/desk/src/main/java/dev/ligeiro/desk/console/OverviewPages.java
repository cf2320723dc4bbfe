package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.desk.console.Answers.Endpoint;
import dev.ligeiro.desk.console.Answers.Platform;
import dev.ligeiro.desk.console.Answers.Statement;
import dev.ligeiro.desk.console.Answers.Transaction;
import dev.ligeiro.desk.console.Answers.TransactionList;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.merchant.Scope;
import jakarta.servlet.http.HttpServletResponse;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The merchant as a whole: figures, first steps, statement. */
@Controller
public class OverviewPages {

    private static final int NEWEST = 5;
    /** A merchant with more transactions needs no first steps any more. */
    private static final int FIRST_TRANSACTIONS = 10;

    private static final List<Integer> RANGES = List.of(7, 30, 92);
    private static final List<String> STATEMENT = List.of("initial_date", "final_date", "after");
    private static final List<String> RANGE = STATEMENT.subList(0, 2);

    /** The types that the API answers with. */
    private static final Map<String, String> STATEMENT_FILES =
            Map.of("csv", "text/csv", "ofx", "application/x-ofx", "xml", "application/xml");

    private final GatewayApi api;
    private final RestClient gateway;

    OverviewPages(GatewayApi api, RestClient gateway) {
        this.api = api;
        this.gateway = gateway;
    }

    /**
     * How far a merchant of the test mode has come.
     *
     * @param endpoint the first one; null without one
     * @param mayCreate whether the visitor may create and pay a cashin
     */
    public record FirstSteps(
            List<Platform> platforms,
            @Nullable Endpoint endpoint,
            boolean hasPayment,
            boolean hasWebhook,
            boolean mayCreate) {

        public boolean areDone() {
            return endpoint != null && hasPayment && hasWebhook;
        }
    }

    @GetMapping(HOME)
    String overview(
            @RequestParam(defaultValue = "30") int days, @ModelAttribute("visitor") Visitor visitor, Model model) {
        if (!visitor.may(Scope.TRANSACTIONS_READ)) {
            String other = visitor.may(Scope.WEBHOOKS_MANAGE)
                    ? "/endpoints"
                    : visitor.may(Scope.STATEMENT_READ) ? "/statement" : "/access";
            return "redirect:" + HOME + other;
        }
        int range = RANGES.contains(days) ? days : 30;
        TransactionList newest = newest();
        List<Endpoint> endpoints =
                visitor.may(Scope.WEBHOOKS_MANAGE) ? api.endpoints().webhooks() : List.of();
        model.addAttribute("figures", api.figures(Map.of("days", Integer.toString(range))));
        model.addAttribute("range", range);
        model.addAttribute("ranges", RANGES);
        model.addAttribute(
                "newest", newest.transactions().stream().limit(NEWEST).toList());
        model.addAttribute("isCounting", newest == TransactionList.NONE);
        model.addAttribute(
                "failing",
                endpoints.stream()
                        .filter(endpoint -> !endpoint.health().equals("enabled"))
                        .toList());
        if (visitor.isTest() && newest != TransactionList.NONE && newest.total() < FIRST_TRANSACTIONS) {
            FirstSteps steps = steps(visitor, newest.transactions(), endpoints);
            model.addAttribute("steps", steps.areDone() ? null : steps);
        }
        return "console/overview";
    }

    /** A list counts millions once, which can take longer than a page may; the figures are shown without it. */
    private TransactionList newest() {
        try {
            TransactionList newest = ApiProblem.nullIf(Set.of(503), () -> api.transactions(Map.of()));
            return newest == null ? TransactionList.NONE : newest;
        } catch (ResourceAccessException slow) {
            return TransactionList.NONE;
        }
    }

    private FirstSteps steps(Visitor visitor, List<Transaction> newest, List<Endpoint> endpoints) {
        Endpoint endpoint = endpoints.isEmpty() ? null : endpoints.get(0);
        boolean hasWebhook = endpoint != null
                && !api.deliveries(endpoint.id(), Map.of("status", "delivered"))
                        .deliveries()
                        .isEmpty();
        return new FirstSteps(
                api.platforms().platforms(),
                endpoint,
                newest.stream().anyMatch(Transaction::wasPaid),
                hasWebhook,
                visitor.may(Scope.TRANSACTIONS_WRITE));
    }

    /** A first cashin of an invented payer, created and paid as a program would. */
    @PostMapping(HOME + "/first-cashin")
    String firstCashin(
            @RequestParam String platform,
            @RequestParam String amount,
            @RequestParam String once,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes next) {
        BigDecimal value = Words.amountOf(amount);
        if (value == null) {
            next.addFlashAttribute("warning", frame.text("console.error.amount"));
            return "redirect:" + HOME;
        }
        try {
            UUID id = api.createCashin(once, firstCashin(frame, value, platform))
                    .one()
                    .id();
            api.sandbox(id, "pay", once + "-pay");
            next.addFlashAttribute(OperatorFrame.NOTICE, frame.text("console.steps.paid"));
            return "redirect:" + HOME + "/transactions/" + id;
        } catch (ApiProblem problem) {
            if (!problem.isForThePage()) {
                throw problem;
            }
            // an amount with a meaning in the sandbox, such as one that pays itself
            next.addFlashAttribute("warning", Words.code(frame, "problem", problem.code()));
            return "redirect:" + HOME;
        }
    }

    private static Map<String, String> firstCashin(Frame frame, BigDecimal amount, String platform) {
        return Map.of(
                "name", "Maria Silva",
                "email", "maria@example.com",
                "phone", "11987654321",
                "document", "52998224725",
                "description", frame.text("console.steps.description"),
                "amount", amount.toPlainString(),
                "platform", platform);
    }

    @GetMapping(HOME + "/statement")
    String statement(@RequestParam Map<String, String> query, Model model) {
        Filters filters = Filters.of(query, STATEMENT);
        model.addAttribute("filters", filters.without("after"));
        model.addAttribute("balance", api.balance());
        model.addAttribute("statement", Statement.NONE);
        model.addAttribute("errors", Errors.of(() -> model.addAttribute("statement", api.statement(filters.given()))));
        return "console/statement";
    }

    @GetMapping(HOME + "/statement.{form:csv|ofx|xml}")
    void statementFile(
            @PathVariable String form, @RequestParam Map<String, String> query, HttpServletResponse response) {
        String path = "/api/v1/statement." + form;
        String type = String.valueOf(STATEMENT_FILES.get(form));
        GatewayClient.download(gateway, path, type, Filters.of(query, RANGE), response);
    }
}
