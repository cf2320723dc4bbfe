package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.testing.browser.Browser;
import dev.ligeiro.testing.browser.BrowserTab;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * The three tasks that a support desk has each day, in a real browser over the whole system. A click of the mouse and a press of Enter count
 * as one click each; the sign-in counts, too.
 */
@Order(5)
@Tag("nightly")
class SupportDeskIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String HOOKS = "/hooks";

    private static Browser browser;

    private final DemoEnv env = SharedSystem.running().environment();
    private final AdminApi admin = AdminApi.of(env);
    private final String merchantId = admin.createMerchant("Loja do Rui");
    private final String key = admin.createKey(merchantId, "test");
    private final EndToEndMerchant merchant = new EndToEndMerchant(
            new MerchantApi(new Api(env.baseUrl(), key), admin.createPlatform(merchantId, "web", "test")));

    private int clicks;

    @BeforeAll
    static void start() {
        browser = Browser.startOrSkip("the tasks of a support desk");
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    @ParameterizedTest
    @CsvSource({"pt-BR, 390, recusado 500", "en, 1440, rejected 500"})
    void whyDidTheWebhooksStop(String language, int width, String cause) {
        try (WebhookReceiver receiver = new WebhookReceiver();
                BrowserTab tab = browser.open().as(width, 900, false, language)) {
            receiver.behave(HOOKS, WebhookReceiver.body(500, "the disk is full".getBytes(StandardCharsets.UTF_8)));
            String endpoint = merchant.calls()
                    .register(receiver.url(HOOKS))
                    .required("id")
                    .asString();
            merchant.pay(merchant.createCashin(merchant.cashin("10.00")).id());
            String path = MerchantApi.WEBHOOKS_PATH + "/" + endpoint;
            await().atMost(SOON)
                    .until(() -> !merchant.api().get(path).text("failing_since").isEmpty());

            enter(tab);
            click(tab, ".notice.bad a");
            awaitSeen(tab, "#cause", cause, "the disk is full");

            receiver.behave(HOOKS, WebhookReceiver.status(204));
            click(tab, "#cause button");
            awaitSeen(tab, "#cause [role=status] .good", "204");

            int sent = receiver.received(HOOKS).size();
            click(tab, "form[action$='/redeliver'] button");
            await().atMost(SOON).until(() -> receiver.received(HOOKS).size() > sent);
            assertThat(clicks).isLessThanOrEqualTo(5);
            assertThat(tab.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"pt-BR, 390, Pago, Paga", "en, 1440, Paid, Paid"})
    void didThisPayerPay(String language, int width, String paid, String paidForOperators) {
        String id = merchant.createCashin(merchant.cashin("12.34")).id();
        merchant.pay(id);
        await().atMost(SOON).until(() -> merchant.show(id).status().equals("paid"));
        String endToEndId = merchant.show(id).text("e2e_id");

        try (BrowserTab tab = browser.open().as(width, 900, false, language)) {
            enter(tab);
            search(tab, endToEndId);
            awaitSeen(tab, "main", paid, endToEndId);
            assertThat(clicks).isLessThanOrEqualTo(3);
            assertThat(tab.messages()).isEmpty();
        }
        clicks = 0;
        try (BrowserTab tab = browser.open().as(width, 900, false, language)) {
            signInAsOperator(tab);
            search(tab, endToEndId);
            awaitSeen(tab, "main", paidForOperators, endToEndId);
            assertThat(clicks).isLessThanOrEqualTo(3);
            assertThat(tab.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "pt-BR, 390, Criou uma transação, Pediu uma devolução, Adicionou um endpoint, Mudou um endpoint",
        "en, 1440, Created a transaction, Asked for a refund, Added an endpoint, Changed an endpoint"
    })
    void whatDidTheLeakedKeyDo(
            String language, int width, String created, String refunded, String added, String changed) {
        String id = merchant.createCashin(merchant.cashin("10.11")).id();
        await().atMost(SOON).until(() -> merchant.show(id).status().equals("paid"));
        merchant.api()
                .post(MerchantApi.transactionPath(id) + "/refund", Map.of("amount", "4.00"))
                .expectSuccess();
        JsonNode endpoint = merchant.calls().register("http://127.0.0.1:9/");
        merchant.api()
                .patch(MerchantApi.WEBHOOKS_PATH + "/" + endpoint.required("id").asString(), Map.of("enabled", false))
                .expect(200);

        try (BrowserTab tab = browser.open().as(width, 900, false, language)) {
            signInAsOperator(tab);
            search(tab, key.substring(0, "sk_test_AbCd".length()));
            awaitSeen(tab, "main table", created, refunded, added, changed);
            List<String> times = tab.evaluate(
                            "[...document.querySelectorAll('main table time')].map(at => at.dateTime)")
                    .valueStream()
                    .map(JsonNode::stringValue)
                    .toList();
            assertThat(times).hasSizeGreaterThanOrEqualTo(4).doesNotContain("");
            assertThat(clicks).isLessThanOrEqualTo(3);
            assertThat(tab.messages()).isEmpty();
        }
    }

    /** By the link that the merchant's program has asked for. */
    private void enter(BrowserTab tab) {
        tab.open(merchant.api()
                .post("/api/v1/console-sessions", Map.of())
                .expect(201)
                .text("url"));
        click(tab, "main form button");
        await().atMost(SOON).until(() -> isAt(tab, "/console"));
    }

    /** The field for the token has the focus. */
    private void signInAsOperator(BrowserTab tab) {
        tab.open(env.adminUrl() + "/console/sign-in");
        tab.type(env.adminToken());
        pressEnter(tab);
        await().atMost(SOON).until(() -> isAt(tab, "/console"));
    }

    private void search(BrowserTab tab, String text) {
        click(tab, "#q");
        tab.type(text);
        pressEnter(tab);
    }

    private void click(BrowserTab tab, String selector) {
        clicks++;
        tab.click(selector);
    }

    private void pressEnter(BrowserTab tab) {
        clicks++;
        tab.pressKey("Enter");
    }

    private static boolean isAt(BrowserTab tab, String path) {
        return tab.evaluate("location.pathname === '" + path + "' && document.readyState === 'complete'")
                .booleanValue();
    }

    private static void awaitSeen(BrowserTab tab, String selector, String... texts) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(tab.seen(selector)).isNotEmpty().contains(texts));
    }
}
