package dev.ligeiro.desk.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.browser.Browser;
import dev.ligeiro.testing.browser.BrowserTab;
import dev.ligeiro.testing.browser.ContactSheet;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The merchants' pages in a real browser, over a played gateway, and the tasks that a support desk has each day, with their clicks counted.
 * The screenshots are in {@code target/console}, with sheets of all of them.
 */
class ConsoleBrowserIT {

    private static final Path SCREENSHOTS = Path.of("target", "console", "merchant");
    private static final String ID = "01a1fe4e-0167-796a-8f30-506793ddb17b";
    private static final String ENDPOINT = "01a1fe4e-012d-7ff7-beac-1463f62e010d";
    private static final String LIST = "GET /api/v1/transactions";
    private static final String DELIVERIES = "GET /api/v1/webhooks/{id}/deliveries";
    private static final String ATTACK = "\u202eMaria <script>document.title='XSS'</script>\"'><img src=x>";

    /** How many cards have something that is wider than they are. */
    private static final String WIDE_CARDS =
            "[...document.querySelectorAll('.card')].filter(card => card.scrollWidth > card.clientWidth + 1).length";

    private static final Map<String, String> PAGES = pages();

    private static Browser browser;
    private static RunningConsole console;

    private int clicks;

    @BeforeAll
    static void start() {
        browser = Browser.startOrSkip("the merchants' console");
        console = new RunningConsole();
    }

    @AfterAll
    static void stop() {
        List<String> shown = List.copyOf(PAGES.keySet());
        ContactSheet.write(browser, SCREENSHOTS, "merchant", shown, "light");
        ContactSheet.write(browser, SCREENSHOTS, "merchant", shown, "dark");
        browser.close();
        console.close();
    }

    @BeforeEach
    void fill() {
        PlayedGateway gateway = console.gateway();
        gateway.reset();
        console.nextSession("test", RunningConsole.ALL_SCOPES);
        gateway.reply("GET /api/v1/figures", 200, figures());
        Map<String, Object> dispute = gateway.example("GET /api/v1/disputes/{id}");
        dispute.put("deadline", "");
        gateway.reply("GET /api/v1/disputes/{id}", 200, dispute);
        Map<String, Object> failing = gateway.example("GET /api/v1/webhooks/{id}");
        failing.put("failing_since", "2026-11-21 10:31:29");
        failing.put("paused_until", "2026-11-21 11:31:29");
        gateway.reply("GET /api/v1/webhooks/{id}", 200, failing);
        gateway.reply("GET /api/v1/webhooks", 200, Map.of("webhooks", List.of(failing)));
        Map<String, Object> shown = gateway.example("GET /api/v1/transaction/{id}");
        gateway.reply("GET /api/v1/transaction/{id}", 200, shown);
        Map<String, Object> transaction = item(shown, "transaction");
        transaction.putAll(Map.of("status", "paid", "name", ATTACK, "amount", "1234.56", "refunded_amount", "0.00"));
        gateway.reply("GET /api/v1/transaction/{id}", 200, Map.of("transaction", List.of(transaction)));
        Map<String, Object> list = gateway.example(LIST);
        List<Object> rows = new ArrayList<>();
        for (String status : List.of("paid", "pending", "denied", "in_analysis", "expired")) {
            Map<String, Object> row = new LinkedHashMap<>(transaction);
            row.put("status", status);
            rows.add(row);
        }
        list.put("transactions", rows);
        list.put("total", rows.size());
        gateway.reply(LIST, 200, list);
    }

    private static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("overview", "/console");
        pages.put("transactions", "/console/transactions?status=paid");
        pages.put("transaction", "/console/transactions/" + ID);
        pages.put("refund", "/console/transactions/" + ID + "/refund");
        pages.put("receipt", "/console/transactions/" + ID + "/receipt");
        pages.put("disputes", "/console/disputes");
        pages.put("dispute", "/console/disputes/" + ID);
        pages.put("endpoints", "/console/endpoints");
        pages.put("endpoint", "/console/endpoints/" + ENDPOINT);
        pages.put("endpoint-new", "/console/endpoints/new");
        pages.put("rotate", "/console/endpoints/" + ENDPOINT + "/rotate");
        pages.put("replay", "/console/endpoints/" + ENDPOINT + "/replays/" + ID);
        pages.put("statement", "/console/statement");
        pages.put("access", "/console/access");
        pages.put("missing", "/console/nothing");
        return pages;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> item(Map<String, Object> answer, String list) {
        return new LinkedHashMap<>(((List<Map<String, Object>>) answer.getOrDefault(list, List.of())).get(0));
    }

    private static Map<String, Object> figures() {
        List<Object> days = new ArrayList<>();
        LocalDate last = LocalDate.of(2026, 11, 21);
        for (int i = 29; i >= 0; i--) {
            Map<String, Object> day = figures(40 + i * 7 % 30);
            day.put("date", last.minusDays(i).toString());
            days.add(day);
        }
        return Map.of(
                "days",
                days,
                "total",
                figures(1_234),
                "denials",
                List.of(
                        Map.of("reason", "rejected_by_rail", "count", 12),
                        Map.of("reason", "insufficient_funds", "count", 3)));
    }

    private static Map<String, Object> figures(int created) {
        return new LinkedHashMap<>(Map.of(
                "created",
                created,
                "cashins_paid",
                created / 2,
                "cashins_paid_amount",
                created * 61 + ".50",
                "cashouts_paid",
                created / 10,
                "cashouts_paid_amount",
                created * 7 + ".00",
                "median_seconds_to_pay",
                38 + created % 7,
                "p99_seconds_to_pay",
                614));
    }

    private static BrowserTab signedIn(int width, boolean isDark, String language) {
        BrowserTab tab = browser.open().as(width, 900, isDark, language);
        tab.open(console.url() + "/console/enter/code-of-the-link");
        tab.evaluate("document.querySelector('main form').requestSubmit()");
        waitFor(tab, "location.pathname === '/console'");
        tab.open(console.url() + "/console?lang=" + language);
        return tab;
    }

    private static void waitFor(BrowserTab tab, String condition) {
        await().until(() -> tab.evaluate(condition + " && document.readyState === 'complete'")
                .booleanValue());
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"pt-BR, 390, light", "pt-BR, 1440, dark", "en, 390, dark", "en, 1440, light"})
    void everyPageIsAccessibleAndFits(String language, int width, String scheme) {
        try (BrowserTab tab = signedIn(width, scheme.equals("dark"), language)) {
            PAGES.forEach((name, path) -> {
                tab.open(console.url() + path);
                tab.screenshot(SCREENSHOTS.resolve(name + "-" + width + "-" + scheme + ".png"));
                assertThat(tab.violations()).as(name).isEmpty();
                assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                        .as(name)
                        .isLessThanOrEqualTo(width);
                assertThat(tab.evaluate(WIDE_CARDS).asInt()).as(name).isZero();
                assertThat(tab.text("h1")).as(name).isNotEmpty();
                assertThat(tab.text("title")).as(name).doesNotContain("XSS");
            });
            assertThat(tab.messages()).allMatch(message -> message.contains("404"));
        }
    }

    @Tag("nightly")
    @Test
    void theChartsAreDrawnAndTheTableStandsWithoutAScript() {
        try (BrowserTab tab = signedIn(1440, false, "en")) {
            assertThat(tab.evaluate("document.querySelectorAll('.uplot canvas').length")
                            .asInt())
                    .isEqualTo(3);
            assertThat(tab.messages()).isEmpty();
            tab.allowScripts(false);
            tab.open(console.url() + "/console?days=7");
            tab.allowScripts(true);
            assertThat(tab.evaluate("document.querySelector('#figures').closest('details').open")
                            .booleanValue())
                    .isTrue();
        }
    }

    private void click(BrowserTab tab, String selector, String leadsTo) {
        clicks++;
        tab.evaluate("document.querySelector(" + "\"" + selector + "\").click()");
        waitFor(tab, leadsTo);
    }

    /** Task a: why did the webhooks stop? */
    @ParameterizedTest
    @CsvSource({"pt-BR, 390", "en, 1440"})
    void theCauseOfAFailingEndpointIsFoundAndMended(String language, int width) {
        try (BrowserTab tab = signedIn(width, false, language)) {
            click(tab, ".notice.bad a", "location.pathname.startsWith('/console/endpoints/')");
            assertThat(tab.text("#cause")).contains("500", "database is down");

            Map<String, Object> delivery = item(console.gateway().example(DELIVERIES), "deliveries");
            console.gateway().reply("POST /api/v1/webhooks/*/deliveries/*/redeliver", 202, delivery);
            click(tab, "#cause button", "location.search.includes('tried=')");
            delivery.put(
                    "attempts",
                    List.of(
                            Map.of("at", "2026-11-21 10:31:29", "outcome", "rejected", "duration_ms", 9),
                            Map.of(
                                    "at",
                                    "2026-11-21 10:31:39",
                                    "outcome",
                                    "delivered",
                                    "status_code",
                                    204,
                                    "duration_ms",
                                    9)));
            console.gateway().reply(DELIVERIES, 200, Map.of("deliveries", List.of(delivery)));

            // the page follows by itself
            await().until(() -> tab.text("#cause [role=status] .good").contains("204"));
            assertThat(clicks).isLessThanOrEqualTo(5);
            assertThat(tab.messages()).isEmpty();
        }
    }

    /** Task b: did this payer pay? */
    @ParameterizedTest
    @CsvSource({"pt-BR, 390, Pago", "en, 1440, Paid"})
    void aPaymentIsFoundByItsEndToEndId(String language, int width, String paid) {
        Map<String, Object> list = console.gateway().example(LIST);
        list.put("transactions", List.of(item(list, "transactions")));
        console.gateway().reply(LIST, 200, list);
        try (BrowserTab tab = signedIn(width, false, language)) {
            tab.evaluate("document.getElementById('q').value = 'E9999999920261121133112AbCdEfGhI'");
            clicks += 2; // the box, and Enter
            tab.evaluate("document.querySelector('form.search').requestSubmit()");
            waitFor(tab, "location.pathname.startsWith('/console/transactions/')");

            assertThat(tab.text("h1 + .badge")).isEqualTo(paid);
            assertThat(clicks).isLessThanOrEqualTo(3);
        }
    }
}
