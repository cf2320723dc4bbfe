package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.testing.browser.Browser;
import dev.ligeiro.testing.browser.BrowserTab;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The documentation in a real browser. Its screenshots are in {@code target/docs}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("nightly")
class DocsBrowserIT extends WithGateway {

    private static final Path SCREENSHOTS = Path.of("target", "docs");

    private static final String LIST = "#operations-Transactions-listTransactions";

    private final Browser browser;

    DocsBrowserIT() {
        this.browser = Browser.startOrSkip("/docs");
    }

    @AfterAll
    void close() {
        browser.close();
    }

    @ParameterizedTest
    @CsvSource({"390, dark", "1440, light"})
    void theGuideIsAccessibleOnAPhoneAndAWideScreen(int width, String scheme) {
        try (BrowserTab tab = opened("/docs", width, scheme.equals("dark"))) {
            assertThat(tab.text(".base-url")).isEqualTo(gateway.url());
            assertThat(hiddenPanels(tab)).isEqualTo(3);
            tab.evaluate("document.getElementById('verify-tab-go').click()");
            assertThat(tab.text("#verify [role=tabpanel]:not([hidden])")).contains("func verify(");
            assertThat(hiddenPanels(tab)).isEqualTo(3);
            assertFits(tab, width);
            assertThat(tab.violations()).isEmpty();
            tab.screenshot(SCREENSHOTS.resolve("guide-" + width + "-" + scheme + ".png"));
            assertThat(tab.messages()).isEmpty();
        }
    }

    private static int hiddenPanels(BrowserTab tab) {
        return tab.evaluate("document.querySelectorAll('#verify [role=tabpanel][hidden]').length")
                .intValue();
    }

    @Test
    void everyCopyButtonHasANameOfItsOwnAndAnnouncesThatItHasCopied() {
        try (BrowserTab tab = browser.open().as(1440, 900, false, "en")) {
            tab.grantClipboard(gateway.url());
            tab.open(gateway.url() + "/docs");

            assertThat(texts(tab, "main button.copy"))
                    .hasSameSizeAs(texts(tab, "main pre"))
                    .doesNotHaveDuplicates()
                    .allMatch(name -> name.startsWith("Copy ") && !name.endsWith("undefined"));

            tab.evaluate("document.querySelector('#errors .copy').click()");
            await().until(() -> tab.text("[role=status]").equals("Copied"));
            assertThat(tab.text("#errors .copy")).startsWith("Copied ");
            assertThat(tab.evaluate("navigator.clipboard.readText()").stringValue())
                    .isEqualTo(tab.text("#errors pre"))
                    .startsWith("HTTP/1.1 422");
            assertThat(tab.violations()).isEmpty();

            await().until(() -> tab.text("#errors .copy").startsWith("Copy "));
            assertThat(tab.text("[role=status]")).isEmpty();
        }
    }

    private static List<String> texts(BrowserTab tab, String selector) {
        return tab.evaluate("[...document.querySelectorAll('" + selector + "')].map(one => one.textContent)")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
    }

    @Test
    void withoutScriptsTheGuideShowsTheCodeOfAllLanguages() {
        try (BrowserTab tab = browser.open().as(1440, 900, false, "en")) {
            tab.allowScripts(false);
            tab.open(gateway.url() + "/docs");
            assertThat(hiddenPanels(tab)).isZero();
            assertThat(tab.text("#verify-go")).contains("func verify(");
        }
    }

    @ParameterizedTest
    @CsvSource({"390", "1440"})
    void theReferenceShowsEveryOperation(int width) {
        try (BrowserTab tab = reference(width)) {
            ApiDescription description = ApiDescription.read();
            int expected =
                    description.operations().size() + description.webhooks().size();
            await().until(() ->
                    tab.evaluate("document.querySelectorAll('.opblock').length").intValue() == expected);
            assertFits(tab, width);
            tab.screenshot(SCREENSHOTS.resolve("reference-" + width + ".png"));
            assertThat(tab.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"390, dark", "1440, light", "1440, dark"})
    void theReferenceIsAccessibleAndShownSoon(int width, String scheme) {
        try (BrowserTab tab = browser.open().as(width, 900, scheme.equals("dark"), "en")) {
            tab.open(gateway.url() + "/docs/reference");
            await().until(() ->
                    tab.evaluate("!!document.querySelector('" + LIST + "')").booleanValue());
            click(tab, ".opblock-summary-control");
            tab.screenshot(SCREENSHOTS.resolve("reference-" + width + "-" + scheme + ".png"));
            assertThat(tab.violations()).isEmpty();
        }
    }

    @Test
    void theExampleOfACreateHasAPlatformOfTheCaller() {
        try (BrowserTab tab = reference(1440)) {
            tab.evaluate("ui.preauthorizeApiKey('apiKey', '" + merchant.key() + "')");
            String create = "#operations-Transactions-createCashin";
            clickIn(tab, create, ".opblock-summary-control");
            clickIn(tab, create, ".try-out__btn");
            clickIn(tab, create, ".execute");
            await().until(() -> tab.text(create + " .live-responses-table tbody .response-col_status")
                    .startsWith("201"));
        }
    }

    @Test
    void anOperationIsTriedWithATestKey() {
        merchant.created(merchant.cashin());
        try (BrowserTab tab = reference(1440)) {
            tryIt(tab, merchant.key());
            await().until(() ->
                    tab.text(".live-responses-table tbody .response-col_status").startsWith("200"));
            assertThat(tab.text(".live-responses-table")).containsPattern("\"total\": [1-9]");
            tab.screenshot(SCREENSHOTS.resolve("reference-tried.png"));
            assertThat(tab.messages()).isEmpty();
        }
    }

    @Test
    void nothingIsSentWithALiveKey() {
        try (BrowserTab tab = reference(1440)) {
            tryIt(tab, merchant.live().key());
            await().until(() -> tab.text(LIST + " .responses-wrapper").contains("test keys only"));
            assertThat(tab.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
                            .valueStream()
                            .map(JsonNode::stringValue))
                    .noneMatch(url -> url.contains("/api/v1/"))
                    .allMatch(url -> url.startsWith(gateway.url()) || url.startsWith("data:"));
        }
    }

    private BrowserTab reference(int width) {
        BrowserTab tab = opened("/docs/reference", width, false);
        await().until(() ->
                tab.evaluate("!!document.querySelector('" + LIST + "')").booleanValue());
        return tab;
    }

    /** Sends the list request of the reference page. */
    private static void tryIt(BrowserTab tab, String key) {
        tab.evaluate("ui.preauthorizeApiKey('apiKey', '" + key + "')");
        click(tab, ".opblock-summary-control");
        click(tab, ".try-out__btn");
        click(tab, ".execute");
    }

    private static void click(BrowserTab tab, String selector) {
        clickIn(tab, LIST, selector);
    }

    private static void clickIn(BrowserTab tab, String operation, String selector) {
        String element = "document.querySelector('" + operation + " " + selector + "')";
        await().until(() -> tab.evaluate("!!" + element).booleanValue());
        tab.evaluate(element + ".click()");
    }

    private BrowserTab opened(String path, int width, boolean dark) {
        BrowserTab tab = browser.open().as(width, 900, dark, "en");
        tab.open(gateway.url() + path);
        return tab;
    }

    private static void assertFits(BrowserTab tab, int width) {
        assertThat(tab.evaluate("document.documentElement.scrollWidth").intValue())
                .isLessThanOrEqualTo(width);
    }
}
