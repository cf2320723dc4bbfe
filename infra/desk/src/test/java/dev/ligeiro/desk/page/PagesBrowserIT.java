package dev.ligeiro.desk.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.testing.browser.Browser;
import dev.ligeiro.testing.browser.BrowserTab;
import dev.ligeiro.testing.browser.ContactSheet;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.webhook.DeliveryId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The pages of the operators' menu in a real browser. Its screenshots are in {@code target/console}, with sheets of all of them. */
@ExtendWith(SharedDesk.class)
class PagesBrowserIT {

    private static final Path SCREENSHOTS = Path.of("target", "console", "operator");

    /** How many cards have something that is wider than they are. */
    private static final String WIDE_CARDS =
            "[...document.querySelectorAll('.card')].filter(card => card.scrollWidth > card.clientWidth + 1).length";

    private static Browser browser;
    private static List<String> shot;

    private final RunningDesk desk;

    PagesBrowserIT(RunningDesk desk) {
        this.desk = desk;
        Stored.of(desk);
    }

    @BeforeAll
    static void start() {
        browser = Browser.startOrSkip("the operators' console");
        shot = new ArrayList<>();
    }

    @AfterAll
    static void stop() {
        ContactSheet.write(browser, SCREENSHOTS, "operator", shot, "light");
        ContactSheet.write(browser, SCREENSHOTS, "operator", shot, "dark");
        browser.close();
    }

    private BrowserTab signedIn(int width, boolean isDark, String language) {
        BrowserTab tab = browser.open().as(width, 900, isDark, language);
        tab.open(desk.url() + "/console/sign-in");
        tab.evaluate("document.getElementById('token').value = '" + RunningDesk.ADMIN_TOKEN + "'");
        tab.evaluate("document.querySelector('form.card').requestSubmit()");
        await().until(() -> tab.evaluate("location.pathname").asString("").equals("/console")
                && tab.evaluate("document.readyState").asString("").equals("complete"));
        return tab;
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"pt-BR, 390, light", "pt-BR, 1440, dark", "en-US, 390, dark", "en-US, 1440, light"})
    void everyPageOfTheMenuIsAccessibleAndFits(String language, int width, String scheme) {
        try (BrowserTab tab = signedIn(width, scheme.equals("dark"), language)) {
            String merchant = desk.admin()
                    .post("/admin/merchants", Map.of("name", "Loja da Ana"))
                    .text("id");
            Map<String, String> pages = new LinkedHashMap<>();
            for (JsonNode path : tab.evaluate("[...document.querySelectorAll('.menu a')].map(a => a.pathname)")) {
                pages.put(path.asString().replaceAll(".*/", ""), path.asString());
            }
            assertThat(pages).hasSizeGreaterThan(10);
            String key = desk.admin()
                    .post("/admin/merchants/" + merchant + "/keys", Map.of("mode", "live", "name", "Till 7"))
                    .text("id");
            pages.put("merchant", "/console/merchants/" + merchant);
            pages.put("key", "/console/keys/" + key);
            Stored shop = Stored.of(desk, "Loja da Bia");
            DeliveryId delivery = Deliveries.id(
                    shop.endpoint(Mode.TEST, "https://shop.example/").id(), 1);
            shop.insert(Deliveries.answered(delivery, "<html><body>502 Bad Gateway</body></html> ".repeat(20)));
            String endpoint = "/console/merchants/" + shop.merchantId() + "/endpoints/" + delivery.endpointId();
            pages.put("endpoint", endpoint);
            pages.put("delivery", endpoint + "/deliveries/" + delivery.text());
            pages.put("onboarding", "/console/do/onboarding/begin");
            pages.put("form", "/console/do/merchants/set-fees?merchant_id=" + merchant);
            pages.put("not-found", "/console/nowhere");
            pages.forEach((name, path) -> {
                tab.open(desk.url() + path);
                tab.screenshot(SCREENSHOTS.resolve(name + "-" + width + "-" + scheme + ".png"));
                assertThat(tab.violations()).as(name).isEmpty();
                assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                        .as(name)
                        .isLessThanOrEqualTo(width);
                assertThat(tab.evaluate(WIDE_CARDS).asInt()).as(name).isZero();
                assertThat(tab.text("h1")).as(name).isNotEmpty();
            });
            // a page that is not found is a message of the browser, too
            assertThat(tab.messages()).allMatch(message -> message.contains("404"));
            shot.clear();
            shot.addAll(pages.keySet());
        }
    }

    @Test
    void aRefusedFormSaysWhereAndIsAccessible() {
        try (BrowserTab tab = signedIn(390, false, "pt-BR")) {
            tab.open(desk.url() + "/console/do/merchants/make");
            tab.evaluate("document.getElementById('field-name').value = 'Ana'");
            tab.evaluate("document.getElementById('field-fees-cashin-fixed').value = 'muito'");
            tab.evaluate("document.querySelector('form.card').requestSubmit()");

            await().until(() -> !tab.text("#field-fees-cashin-fixed-error").isEmpty());
            assertThat(tab.evaluate("document.getElementById('field-fees-cashin-fixed').value")
                            .asString())
                    .isEqualTo("muito");
            assertThat(tab.violations()).isEmpty();
        }
    }

    @Test
    void aPageFollowsChangesAndKeepsTheFocus() {
        try (BrowserTab tab = signedIn(1440, false, "en-US")) {
            tab.open(desk.url() + "/console/sessions");
            int sessions = rows(tab);
            tab.evaluate("document.querySelector('.row-actions a').focus()");

            Visitor.signedIn(desk, RunningDesk.READER_TOKEN);

            await().atMost(Duration.ofSeconds(30)).until(() -> rows(tab) > sessions);
            assertThat(tab.evaluate("document.activeElement.closest('.row-actions') !== null")
                            .booleanValue())
                    .isTrue();
            assertThat(tab.messages()).isEmpty();
        }
    }

    private static int rows(BrowserTab tab) {
        return tab.evaluate("document.querySelectorAll('tbody tr').length").asInt();
    }
}
