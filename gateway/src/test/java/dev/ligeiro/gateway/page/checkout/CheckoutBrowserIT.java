package dev.ligeiro.gateway.page.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.testing.browser.Browser;
import dev.ligeiro.testing.browser.BrowserTab;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.view.Language;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checkout page in a real browser. Its screenshots are in {@code target/checkout}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CheckoutBrowserIT extends WithGateway {

    private static final Path SCREENSHOTS = Path.of("target", "checkout");

    private final Browser browser;

    CheckoutBrowserIT() {
        this.browser = Browser.startOrSkip("the checkout page");
    }

    @AfterAll
    void close() {
        browser.close();
    }

    @ParameterizedTest
    @CsvSource({
        "pt-BR, 390,  dark,  Aguardando pagamento, Pagamento confirmado",
        "en-US, 1440, light, Waiting for payment,  Payment confirmed"
    })
    void anOpenPageTurnsToPaidAndIsAccessible(
            String language, int width, String scheme, String waiting, String confirmed) {
        String id = merchant.created(merchant.cashin().put("expires_in", 900));
        String name = language + "-" + width + "-" + scheme;
        try (BrowserTab tab = browser.open().as(width, 844, scheme.equals("dark"), language)) {
            tab.open(gateway.url() + "/checkout/" + id);

            assertThat(tab.text(".status")).isEqualTo(waiting);
            assertThat(tab.text(".merchant")).contains("Café do Zé");
            assertThat(tab.text("#countdown")).matches("(Expira em|Expires in) 1[45]:\\d\\d");
            assertThat(tab.violations()).isEmpty();
            assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(width);
            tab.screenshot(SCREENSHOTS.resolve(name + "-pending.png"));

            stored.move(id, Status.PAID);

            await().until(() -> tab.text("h1").equals(confirmed));
            assertThat(tab.text("[role=status]")).isEqualTo(confirmed);
            assertThat(tab.evaluate("document.title").stringValue()).startsWith(confirmed);
            assertThat(tab.violations()).isEmpty();
            tab.screenshot(SCREENSHOTS.resolve(name + "-paid.png"));
            assertThat(tab.messages()).isEmpty();
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({
        "320,  150.75,        light",
        "320,  999999.99,     light",
        "320,  1000000.00,    dark",
        "320,  9999999999.99, light",
        "390,  9999999999.99, dark",
        "1440, 9999999999.99, light",
    })
    void anAmountOfAnySizeStaysOnOneLineWithinThePage(int width, String amount, String scheme) {
        String id = merchant.created(merchant.cashin().put("amount", amount));
        String name = "amount-" + width + "-" + amount + "-" + scheme;
        try (BrowserTab tab = browser.open().as(width, 844, scheme.equals("dark"), "pt-BR")) {
            tab.open(gateway.url() + "/checkout/" + id);
            assertTheAmountFits(tab, width);
            tab.screenshot(SCREENSHOTS.resolve(name + "-pending.png"));

            stored.move(id, Status.PAID);
            await().until(() -> tab.text("main .status").equals(Language.PORTUGUESE.text("checkout." + "status.paid")));
            assertTheAmountFits(tab, width);
            tab.screenshot(SCREENSHOTS.resolve(name + "-paid.png"));
        }
    }

    private static void assertTheAmountFits(BrowserTab tab, int width) {
        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
        assertThat(tab.evaluate(
                                """
                                (() => {
                                  const amount = document.querySelector('.amount');
                                  const lines = amount.clientHeight / parseFloat(getComputedStyle(amount).lineHeight);
                                  return amount.scrollWidth > amount.clientWidth ? 'too wide' : Math.round(lines) + ' line';
                                })()
                                """)
                        .stringValue())
                .isEqualTo("1 line");
    }

    @Test
    void theCodeIsCopiedByKeyboard() {
        String id = merchant.created(merchant.cashin());
        try (BrowserTab tab = browser.open().as(390, 844, false, "pt-BR")) {
            tab.grantClipboard(gateway.url());
            tab.open(gateway.url() + "/checkout/" + id);

            tab.pressKey("Tab");
            tab.pressKey("Tab");
            assertThat(tab.evaluate("document.activeElement.id").stringValue()).isEqualTo("copy");
            tab.pressKey("Enter");

            await().until(() -> tab.text("#copy").equals("Código copiado"));
            assertThat(tab.text("[role=status]")).isEqualTo("Código copiado");
            assertThat(tab.evaluate("navigator.clipboard.readText()").stringValue())
                    .isEqualTo(tab.text("#code"))
                    .startsWith("000201");
        }
    }

    @Test
    void withoutScriptsThePageShowsTheCodeAndAWayToReload() {
        String id = merchant.created(merchant.cashin());
        try (BrowserTab tab = browser.open().as(390, 844, false, "pt-BR")) {
            tab.allowScripts(false);
            tab.open(gateway.url() + "/checkout/" + id);

            assertThat(tab.text("#code")).startsWith("000201");
            assertThat(tab.text("noscript")).contains("Atualize esta página");
            assertThat(tab.evaluate("document.getElementById('copy').hidden").booleanValue())
                    .isTrue();
            tab.screenshot(SCREENSHOTS.resolve("without-scripts.png"));
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"EXPIRED", "CANCELED", "DENIED"})
    void anOpenPageTurnsToItsEnd(Status end) {
        String id = merchant.created(merchant.cashin());
        try (BrowserTab tab = browser.open().as(390, 844, false, "pt-BR")) {
            tab.open(gateway.url() + "/checkout/" + id);
            stored.move(id, end);

            await().until(() ->
                    tab.text(".status").equals(Language.PORTUGUESE.text("checkout." + "status." + end.code())));
            assertThat(tab.text("#code")).isEmpty();
            assertThat(tab.violations()).isEmpty();
            tab.screenshot(SCREENSHOTS.resolve(end.code() + ".png"));
        }
    }
}
