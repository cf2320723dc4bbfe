package dev.ligeiro.gateway.page.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredBooks;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.message.EventId;
import dev.ligeiro.testing.browser.Browser;
import dev.ligeiro.testing.browser.BrowserTab;
import dev.ligeiro.testing.browser.ContactSheet;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages of the merchant's console in a real browser. Their screenshots are in {@code target/console}, with sheets of all of them. */
@ExtendWith(SharedGateway.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleBrowserIT {

    private static final Path SCREENSHOTS = Path.of("target", "console");
    private static final Map<String, String> EMPTY = new TreeMap<>(Map.of(
            "empty",
            "",
            "empty-transactions",
            "/transactions",
            "empty-endpoints",
            "/endpoints",
            "empty-statement",
            "/statement",
            "empty-access",
            "/access"));

    private static final String ATTACK = "\u202eMaria <script>document.title='XSS'</script>\"'><img src=x>";

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final TestMerchant empty;
    private final StoredWebhooks stored;
    private final PlayedProcessor processor;
    private final Browser browser;
    private final Map<String, String> pages = new LinkedHashMap<>();

    ConsoleBrowserIT(RunningGateway gateway, TestMerchant merchant, StoredWebhooks stored) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.empty = gateway.newMerchant();
        this.stored = stored;
        this.processor = new PlayedProcessor(gateway);
        this.browser = Browser.startOrSkip("the merchant's console");
        fill();
    }

    @AfterAll
    void close() {
        List<String> shown = Stream.of(
                        Stream.of("enter"), pages.keySet().stream(), Stream.of("secret"), EMPTY.keySet().stream())
                .flatMap(names -> names)
                .toList();
        ContactSheet.write(browser, SCREENSHOTS, "merchant", shown, "light");
        ContactSheet.write(browser, SCREENSHOTS, "merchant", shown, "dark");
        browser.close();
        processor.close();
    }

    /** A month of payments, transactions in each status, and three endpoints, of which one fails and one is disabled. */
    private void fill() {
        Instant now = gateway.clock().instant();
        long number = gateway.admin()
                .get("/admin/merchants/" + merchant.id())
                .json()
                .path("number")
                .longValue();
        try (StoredBooks books = new StoredBooks(gateway)) {
            for (int day = 0; day < 30; day++) {
                Instant at = now.minus(Duration.ofDays(day));
                for (int i = 0; i <= (day * 7) % 5; i++) {
                    books.post(merchant, at, "cashin", 12_550 + 1_000L * i, -151);
                    stored.insert(List.of(created(number, at), created(number, at)));
                }
            }
            books.post(merchant, now.minusSeconds(60), "refund", -5_000, 0);
        }
        String[] names = {"Maria Silva", "João Pereira", "Ana Conceição dos Santos", ATTACK, "Zé"};
        for (int i = 0; i < names.length; i++) {
            merchant.created(merchant.cashin()
                    .put("name", names[i])
                    .put("reference", "order-" + (7_700 + i))
                    .put("amount", (i + 1) * 150.75));
        }
        String refunded = merchant.created(merchant.cashin().put("amount", "1234.56"));
        stored.move(refunded, Status.PAID);
        RefundId refund = new RefundId(UUID.randomUUID());
        stored.append(
                refunded,
                new Entry.RefundRequested(
                        refund, new Amount(50_00), Source.MERCHANT, "return-1", "One of two", now, null),
                new Entry.RefundMade(refund, false, now),
                new Entry.RefundRequested(
                        new RefundId(UUID.randomUUID()),
                        new Amount(1_00),
                        Source.MERCHANT,
                        "return-2",
                        null,
                        now,
                        null));
        String denied = merchant.created(merchant.cashin());
        stored.append(denied, new Entry.StatusChanged(Status.DENIED, now, Source.RAIL, "rejected_by_rail", null, null));
        String endpoint = register("https://shop.example.com/webhooks", "Shop");
        String failing =
                register("https://warehouse.example.com/pix/notifications/of/all/payments?of=ligeiro", "Warehouse");
        String disabled = register("https://old.example.com/", "");
        merchant.api()
                .patch("/api/v1/webhooks/" + disabled, "{\"enabled\":false}")
                .expect(200);
        stored.insert(new Lane(
                UUID.fromString(failing),
                Tenant.of(number, Mode.TEST),
                now,
                null,
                new Lane.Health(12, 2, now.plusSeconds(300), now.minusSeconds(9_000)),
                null,
                1));
        TransactionId id = TransactionId.parse(refunded).orElseThrow();
        stored.insert(Deliveries.delivery(
                new DeliveryId(UUID.fromString(endpoint), new EventId(id, 2)), DeliveryStatus.DELIVERED));
        stored.insert(
                Deliveries.retried(new DeliveryId(UUID.fromString(failing), new EventId(id, 2)), now.plusSeconds(300)));
        stored.insert(Deliveries.attempted(new DeliveryId(UUID.fromString(failing), new EventId(id, 3)), 9));
        String replay = merchant.api()
                .post(
                        "/api/v1/webhooks/" + endpoint + "/replay",
                        "{\"from\":\"2026-11-20T00:00:00Z\",\"to\":\"2026-11-21T00:00:00Z\"}")
                .expect(202)
                .text("id");
        pages.put("overview", "");
        pages.put("transactions", "/transactions");
        pages.put("transactions-filtered", "/transactions?status=denied&reference=none&initial_date=2026-11-01");
        pages.put("transactions-invalid", "/transactions?initial_date=2026-11-20&final_date=2026-11-01&phone=none");
        pages.put("transaction", "/transactions/" + refunded);
        pages.put("transaction-pending", "/transactions/" + merchant.created(merchant.cashin()));
        pages.put("transaction-denied", "/transactions/" + denied);
        pages.put("refund", "/transactions/" + refunded + "/refund");
        pages.put("endpoints", "/endpoints");
        pages.put("endpoint", "/endpoints/" + endpoint);
        pages.put("endpoint-failing", "/endpoints/" + failing);
        pages.put("endpoint-disabled", "/endpoints/" + disabled);
        pages.put("rotate", "/endpoints/" + endpoint + "/rotate");
        pages.put("replay", "/endpoints/" + endpoint + "/replays/" + replay);
        pages.put("statement", "/statement");
        pages.put("access", "/access");
        pages.put("missing", "/transactions/nothing");
    }

    private static Transaction created(long number, Instant at) {
        return Transactions.like(Transactions.cashin(TransactionId.at(at), new Amount(12_550)))
                .tenant(Tenant.of(number, Mode.TEST))
                .reference(null)
                .accepted(true)
                .build();
    }

    private String register(String url, String description) {
        return merchant.api()
                .post("/api/v1/webhooks", Map.of("url", url, "description", description))
                .expect(201)
                .text("id");
    }

    @ParameterizedTest
    @CsvSource({
        "pt-BR, 390,  light",
        "en,    390,  dark",
        "en,    1440, light",
        "pt-BR, 1440, dark",
    })
    void everyPageIsAccessibleAndFits(String language, int width, String scheme) {
        try (BrowserTab tab = browser.open().as(width, 900, scheme.equals("dark"), language)) {
            signIn(tab, merchant, language, width + "-" + scheme);
            pages.forEach((name, path) -> check(tab, name, path, language, width, scheme));
        }
    }

    @ParameterizedTest
    @CsvSource({"pt-BR, 390, dark", "en, 1440, light"})
    void pagesWithNothingToShowSaySo(String language, int width, String scheme) {
        try (BrowserTab tab = browser.open().as(width, 900, scheme.equals("dark"), language)) {
            signIn(tab, empty, language, width + "-" + scheme);
            EMPTY.forEach((name, path) -> check(tab, name, path, language, width, scheme));
        }
    }

    private void check(BrowserTab tab, String name, String path, String language, int width, String scheme) {
        tab.open(gateway.url() + "/console" + path);
        String page = name + " " + language + " " + width + " " + scheme;
        tab.screenshot(SCREENSHOTS.resolve(name + "-" + width + "-" + scheme + ".png"));
        assertThat(tab.violations()).as(page).isEmpty();
        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                .as(page)
                .isLessThanOrEqualTo(width);
        assertThat(tab.evaluate("document.documentElement.lang").stringValue()).isEqualTo(language);
        assertThat(tab.evaluate("document.title").stringValue())
                .endsWith("Ligeiro")
                .doesNotContain("XSS");
        assertThat(tab.evaluate("document.querySelectorAll('[style], style, script:not([src])').length")
                        .asInt())
                .isZero();
        assertThat(tab.messages().stream().filter(line -> !line.contains("status of 4")))
                .as(page)
                .isEmpty();
    }

    private void signIn(BrowserTab tab, TestMerchant of, String language, String name) {
        String url = of.api().post("/api/v1/console-sessions", "{}").expect(201).text("url");
        tab.open(url);
        // the tabs share their cookies
        tab.evaluate("fetch('/console/language?to=" + language + "', {redirect: 'manual'}).then(() => 0)");
        tab.open(url + "?");
        assertThat(tab.violations()).isEmpty();
        tab.screenshot(SCREENSHOTS.resolve("enter-" + name + ".png"));
        tab.evaluate("document.querySelector('main form button').click()");
        await().until(() -> tab.evaluate("location.pathname === '/console' && document.readyState === 'complete'")
                .booleanValue());
    }

    @Test
    void anOpenTransactionShowsItsPaymentByItself() {
        String id = merchant.created(merchant.cashin());
        try (BrowserTab tab = browser.open().as(390, 844, false, "en")) {
            signIn(tab, merchant, "en", "live");
            tab.open(gateway.url() + "/console/transactions/" + id);
            assertThat(tab.text("#live .badge")).isEqualTo("Pending");
            stored.move(id, Status.PAID);

            await().until(() -> tab.text("#live .badge").equals("Paid"));
            assertThat(tab.text(".timeline li")).contains("Paid");
            assertThat(tab.messages()).isEmpty();
        }
    }

    @Test
    void aSecondClickOnAFormSendsNothing() {
        String id = merchant.created(merchant.cashin());
        try (BrowserTab tab = browser.open().as(390, 844, false, "en")) {
            signIn(tab, merchant, "en", "twice");
            tab.open(gateway.url() + "/console/transactions/" + id + "/cancel");
            String click = "document.querySelector('main form')"
                    + ".dispatchEvent(new Event('submit', {bubbles: true, cancelable: true}))";

            assertThat(tab.evaluate(click).booleanValue()).isTrue();
            assertThat(tab.evaluate(click).booleanValue()).isFalse();
        }
    }

    @Test
    void aRefundIsMadeByKeyboardWithoutScripts() {
        String id = merchant.created(merchant.cashin());
        stored.move(id, Status.PAID);
        try (BrowserTab tab = browser.open().as(390, 844, false, "en")) {
            signIn(tab, merchant, "en", "keyboard");
            tab.allowScripts(false);
            tab.open(gateway.url() + "/console/transactions/" + id + "/refund");
            tab.evaluate("document.querySelector('#amount').focus()");
            tab.evaluate("document.querySelector('#amount').value = '10'");

            tab.pressKey("Enter");
            processor.make(id, 1);

            await().until(() -> tab.text("[role=status]").startsWith("The refund was asked for")
                    || tab.text("[role=status]").startsWith("Accepted"));
            assertThat(merchant.api()
                            .get("/api/v1/transaction/" + id + "/refunds")
                            .json()
                            .at("/refunds/0/amount")
                            .stringValue())
                    .isEqualTo("10.00");
        }
    }

    @ParameterizedTest
    @CsvSource({"en, 390, dark", "pt-BR, 1440, light"})
    void aRotationShowsTheNewSecret(String language, int width, String scheme) {
        String endpoint = register("https://rotated.example.com/", "Rotated");
        try (BrowserTab tab = browser.open().as(width, 900, scheme.equals("dark"), language)) {
            signIn(tab, merchant, language, "rotation");
            tab.open(gateway.url() + "/console/endpoints/" + endpoint + "/rotate");

            tab.evaluate("document.querySelector('main form button').click()");

            await().until(() -> tab.text("#secret").startsWith("whsec_")
                    && tab.evaluate("document.readyState === 'complete'").booleanValue());
            assertThat(tab.violations()).isEmpty();
            tab.screenshot(SCREENSHOTS.resolve("secret-" + width + "-" + scheme + ".png"));
        }
    }

    @Test
    void theLanguageCanBeChanged() {
        try (BrowserTab tab = browser.open().as(1440, 900, false, "pt-BR")) {
            signIn(tab, merchant, "pt-BR", "language");
            tab.open(gateway.url() + "/console/transactions");
            assertThat(tab.text("h1")).isEqualTo("Transações");

            tab.evaluate("document.querySelector('.account a').click()");

            await().until(() -> tab.text("h1").equals("Transactions"));
        }
    }
}
