package dev.ligeiro.gateway.operator.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.browser.Browser;
import dev.ligeiro.testing.browser.BrowserTab;
import dev.ligeiro.testing.browser.ContactSheet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The operators' console in a real browser. Its screenshots are in {@code target/console-operator}, with sheets of all of them. */
class OperatorConsoleBrowserIT {

    private static final Path SCREENSHOTS = Path.of("target", "console-operator");

    /** How many cards have something that is wider than they are. */
    private static final String WIDE_CARDS =
            "[...document.querySelectorAll('.card')].filter(card => card.scrollWidth > card.clientWidth + 1).length";

    private static Browser browser;
    private static OperatorDesk desk;

    @BeforeAll
    static void start() {
        browser = Browser.startOrSkip("the operators' console");
        desk = new OperatorDesk();
        try (BrowserTab tab = browser.open().as(1440, 900, false, "en-US")) {
            signIn(tab);
        }
    }

    @AfterAll
    static void stop() {
        if (desk == null) {
            return;
        }
        List<String> pages =
                Stream.concat(pages().keySet().stream(), Stream.of("refused")).toList();
        ContactSheet.write(browser, SCREENSHOTS, "operator", pages, "light");
        ContactSheet.write(browser, SCREENSHOTS, "operator", pages, "dark");
        browser.close();
        desk.close();
    }

    private static void signIn(BrowserTab tab) {
        tab.open(desk.url() + "/console/sign-in");
        tab.evaluate("document.getElementById('token').value = '" + OperatorDesk.BRUNO + "'");
        tab.evaluate("document.querySelector('form.card').requestSubmit()");
        await().until(() -> tab.evaluate("location.pathname").asString("").equals("/console"));
    }

    @ParameterizedTest
    @CsvSource({"pt-BR, 390, light", "pt-BR, 1440, dark", "en-US, 390, dark", "en-US, 1440, light"})
    void everyPageIsAccessibleAndFits(String language, int width, String scheme) {
        try (BrowserTab tab = browser.open().as(width, 900, scheme.equals("dark"), language)) {
            pages().forEach((name, path) -> {
                tab.open(desk.url() + path);
                tab.screenshot(SCREENSHOTS.resolve(name + "-" + width + "-" + scheme + ".png"));
                assertThat(tab.violations()).as(name).isEmpty();
                assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                        .as(name)
                        .isLessThanOrEqualTo(width);
                assertThat(tab.evaluate(WIDE_CARDS).asInt()).as(name).isZero();
                assertThat(tab.text("h1")).as(name).isNotEmpty();
                assertThat(tab.messages()).as(name).isEmpty();
            });
        }
    }

    private static Map<String, String> pages() {
        String merchant = "/console/merchants/" + desk.merchant.id();
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("attention", "/console");
        pages.put("search", "/console/search");
        pages.put("found", "/console/search?q=order-4711");
        pages.put("merchant", merchant);
        pages.put("transaction", "/console/transactions/" + desk.paid);
        pages.put("waiting", "/console/transactions/" + desk.waiting);
        pages.put("approvals", "/console/approvals?done=transactions.reject");
        pages.put("approve", "/console/transactions/" + desk.waiting + "/approve");
        pages.put("unsettled", "/console/unsettled");
        pages.put("propose", "/console/resolutions/new?transaction=" + desk.unknown);
        pages.put("propose-refund", "/console/resolutions/new?transaction=" + desk.refunding);
        pages.put("unmatched", "/console/unmatched");
        pages.put("breaks", "/console/breaks");
        pages.put("resolutions", "/console/resolutions");
        pages.put("dead-letters", "/console/dead-letters");
        pages.put("redrive", "/console/dead-letters/redrive?topic=transaction-commands&ids=0-0");
        pages.put("endpoints", "/console/endpoints");
        pages.put("stops", "/console/stops");
        pages.put("stop-route", "/console/stops/route");
        pages.put("fees", merchant + "/fees");
        pages.put("freeze", merchant + "/freeze");
        pages.put("guard", merchant + "/guard?mode=test");
        pages.put("audit", "/console/audit");
        pages.put("status", "/console/status");
        pages.put("sign-in", "/console/sign-in");
        return pages;
    }

    @Test
    void aRefusedFormSaysWhereAndIsAccessible() {
        try (BrowserTab tab = browser.open().as(390, 844, false, "pt-BR")) {
            tab.open(desk.url() + "/console/merchants/" + desk.merchant.id() + "/limits");
            tab.evaluate("document.getElementById('field-cashin-amount_min').value = 'muito'");
            tab.evaluate("document.querySelector('form.card').requestSubmit()");

            await().until(() -> !tab.text("#field-cashin-amount_min-error").isEmpty());
            assertThat(tab.evaluate("document.getElementById('field-cashin-amount_min').value")
                            .asString())
                    .isEqualTo("muito");
            assertThat(tab.violations()).isEmpty();
            tab.screenshot(SCREENSHOTS.resolve("refused-390-light.png"));
        }
    }

    @Test
    void theFirstPageFollowsByItself() {
        try (BrowserTab tab = browser.open().as(1440, 900, false, "en-US")) {
            tab.open(desk.url() + "/console");
            String before = card(tab);

            desk.insertUnmatched("bank", "E9999900420260310120000000000002");

            await().atMost(Duration.ofSeconds(30)).until(() -> !card(tab).equals(before));
            assertThat(tab.messages()).isEmpty();
        }
    }

    private static String card(BrowserTab tab) {
        return tab.evaluate(
                        "[...document.querySelectorAll('.counts .card')].find(card => card.textContent.includes('Unmatched')).querySelector('.figure').textContent")
                .asString();
    }

    @Test
    void withoutScriptsAChangeIsMadeByTwoPages() {
        try (BrowserTab tab = browser.open().as(390, 844, false, "en-US")) {
            String path = "/console/breaks/" + desk.insertBreak() + "/close";
            tab.allowScripts(false);
            tab.open(desk.url() + path);
            tab.evaluate("document.getElementById('field-reason').value = 'a test payment'");
            tab.evaluate("document.querySelector('form.card').requestSubmit()");

            await().until(() -> tab.text("[role=status]").equals("The break is closed."));
        }
    }
}
