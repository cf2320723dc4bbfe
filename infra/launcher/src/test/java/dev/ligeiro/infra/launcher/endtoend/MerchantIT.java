package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.standardwebhooks.Webhook;
import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.launcher.endtoend.Receiver.ReceivedWebhook;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a merchant does, through all services: cashins and their refunds, cashouts that wait for an approval, webhook endpoints. */
@Order(2)
class MerchantIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String PATH = "/hooks";

    private final DemoEnv env = SharedSystem.running().environment();
    private final AdminApi admin = AdminApi.of(env);
    private final String merchantId = admin.createMerchant("A merchant of the tests");
    private final EndToEndMerchant merchant = new EndToEndMerchant(new MerchantApi(
            new Api(env.baseUrl(), admin.createKey(merchantId, "test")),
            admin.createPlatform(merchantId, "web", "test")));

    @Test
    void aPaymentAndItsRefundsAreAnnouncedWithTheExtraVerbatim() {
        String extra = " a \"quoted\" \\ word\n\tand <b>ação</b> 🚀 ";
        try (Receiver receiver = new Receiver(merchant)) {
            Map<String, Object> request = merchant.cashin("150.75");
            request.put("extra", extra);
            request.put("reference", "order-" + System.nanoTime());
            ShownTransaction created = merchant.createCashin(request);
            assertThat(created.events()).containsExactly("pending");
            String id = created.id();

            merchant.pay(id);
            awaitStatus(id, "paid");
            refund(id, Map.of("amount", "50.00", "refund_reference", "r-1")).expectSuccess();
            await().atMost(SOON).until(() -> merchant.show(id).refundStates().equals(List.of("refunded")));
            assertThat(merchant.show(id).text("refunded_amount")).isEqualTo("50.00");
            refund(id, Map.of()).expectSuccess();
            awaitStatus(id, "refund");

            assertThat(merchant.show(id).text("refunded_amount")).isEqualTo("150.75");
            assertThat(merchant.show(id).events()).containsExactly("refund", "paid", "pending");
            awaitTypes(receiver, id, "created", "paid", "refunded_partially", "refund");
            ReceivedWebhook paid = receiver.of(id).get(1);
            assertThat(paid.payload().at("/data/previous_status").asString()).isEqualTo("pending");
            assertThat(paid.transaction().text("extra")).isEqualTo(extra);
            assertThat(merchant.show(id).text("extra")).isEqualTo(extra);
        }
    }

    @Test
    void twentyRefundsAtOnceNeverExceedTheAmount() {
        String id = merchant.createCashin(merchant.cashin("10.11")).id();
        awaitStatus(id, "paid");
        List<CompletableFuture<Answer>> answers = IntStream.range(0, 20)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> refund(id, Map.of("amount", "1.00"))))
                .toList();
        List<Integer> statuses = answers.stream()
                .map(CompletableFuture::join)
                .map(Answer::status)
                .toList();
        // 202 when the processor has taken longer than the 2 s for which the gateway waits
        assertThat(statuses).isSubsetOf(200, 202, 409);
        assertThat(statuses).filteredOn(status -> status == 409).hasSizeLessThanOrEqualTo(10);
        await().atMost(SOON)
                .until(() -> merchant.show(id).text("refunded_amount").equals("10.00"));
        assertThat(merchant.show(id).refundStates()).hasSize(10).containsOnly("refunded");
        assertThat(refund(id, Map.of("amount", "1.00")).status()).isEqualTo(409);
    }

    @Test
    void aCashoutIsPaidWhenTheMerchantApprovesItAndDeniedWhenAnOperatorRejectsIt() {
        Api operator = admin.api();
        Map<String, Object> keys = Map.of("mode", "test", "scopes", List.of("cashouts:approve"));
        String key = operator.post("/admin/merchants/" + merchantId + "/keys", keys)
                .expect(201)
                .text("key");
        operator.put("/admin/merchants/" + merchantId + "/guard", Map.of("mode", "test", "approval_above", "500.00"))
                .expect(200);
        await().atMost(SOON).until(() -> {
            String probe = cashout("500.01");
            await().atMost(SOON).until(() -> !merchant.show(probe).status().equals("pending"));
            return merchant.show(probe).status().equals("in_analysis");
        });
        try (Receiver receiver = new Receiver(merchant)) {
            String small = cashout("500.00");
            String approved = cashout("500.01");
            String rejected = cashout("500.01");
            awaitStatus(approved, "in_analysis");
            awaitStatus(rejected, "in_analysis");
            new Api(env.baseUrl(), key)
                    .postNothing(MerchantApi.transactionPath(approved) + "/approve")
                    .expectSuccess();
            operator.post("/admin/transactions/" + rejected + "/reject", Map.of("reason", "nobody knows it"))
                    .expectSuccess();
            awaitStatus(small, "paid");
            awaitStatus(approved, "paid");
            awaitStatus(rejected, "denied");
            awaitTypes(receiver, approved, "created", "in_analysis", "in_process", "paid");
            awaitTypes(receiver, rejected, "created", "in_analysis", "denied");
            assertThat(receiver.of(rejected).get(2).transaction().text("denial_reason"))
                    .isEqualTo("not_approved");
        }
    }

    @Test
    void duringARotationATestEventIsVerifiedWithEitherSecret() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            JsonNode endpoint =
                    register(Map.of("url", receiver.url(PATH), "headers", Map.of("Authorization", "Basic YTpi")));
            JsonNode rotated = merchant.api()
                    .postNothing(path(endpoint) + "/rotate-secret")
                    .expect(200)
                    .json();
            merchant.api().postNothing(path(endpoint) + "/test").expect(202);
            await().atMost(SOON).until(() -> !receiver.received(PATH).isEmpty());
            Received received = receiver.received(PATH).get(0);
            assertThat(received.header("authorization")).isEqualTo("Basic YTpi");
            assertThat(received.body()).startsWith("{\"type\":\"webhook.test\"");
            // the library expects lower-case names
            Map<String, List<String>> headers = received.headers().entrySet().stream()
                    .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
            for (JsonNode shown : List.of(endpoint, rotated)) {
                new Webhook(shown.required("secret").asString()).verify(received.body(), headers);
            }
        }
    }

    /** The endpoint's URL responds with 410 for a while. Then the merchant enables it and replays what it missed. */
    @Test
    void whatADisabledEndpointMissedIsReplayedWithTheSameId() {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.behave(PATH, WebhookReceiver.status(410));
            String path = path(register(Map.of("url", receiver.url(PATH), "events", List.of("transaction.paid"))));
            Instant before = Instant.now().minusSeconds(60);
            String id = merchant.createCashin(merchant.cashin("10.00")).id();
            merchant.pay(id);
            await().atMost(SOON).until(() -> statuses(path + "/deliveries?status=undelivered")
                    .equals(List.of("canceled")));
            assertThat(merchant.api().get(path).expect(200).text("disabled_reason"))
                    .isEqualTo("gone");

            receiver.behave(PATH, WebhookReceiver.status(204));
            int missed = receiver.received(PATH).size();
            merchant.api().patch(path, Map.of("enabled", true)).expect(200);
            String now = Instant.now().plusSeconds(60).toString();
            merchant.api()
                    .post(path + "/replay", Map.of("from", before.toString(), "to", now))
                    .expect(202);
            await().atMost(SOON).until(() -> receiver.received(PATH).size() > missed);
            Received first = receiver.received(PATH).get(0);
            Received replayed = receiver.received(PATH).get(missed);
            assertThat(replayed.header("webhook-id")).isEqualTo(first.header("webhook-id"));
            assertThat(replayed.body()).isEqualTo(first.body()).contains(id);
            await().atMost(SOON).until(() -> statuses(path + "/deliveries").equals(List.of("delivered")));
        }
    }

    private Answer refund(String id, Map<String, ?> body) {
        return merchant.api().post(MerchantApi.transactionPath(id) + "/refund", body);
    }

    private String cashout(String amount) {
        return merchant.api()
                .post(MerchantApi.CASHOUT_PATH, merchant.cashout(amount))
                .expect(201)
                .transactionId();
    }

    private JsonNode register(Map<String, Object> request) {
        return merchant.api()
                .post(MerchantApi.WEBHOOKS_PATH, request)
                .expect(201)
                .json();
    }

    private static String path(JsonNode endpoint) {
        return MerchantApi.WEBHOOKS_PATH + "/" + endpoint.required("id").asString();
    }

    private List<String> statuses(String deliveries) {
        return merchant.api()
                .get(deliveries)
                .expect(200)
                .json()
                .required("deliveries")
                .valueStream()
                .map(delivery -> delivery.required("status").asString())
                .toList();
    }

    private void awaitStatus(String id, String status) {
        await().atMost(SOON).until(() -> merchant.show(id).status().equals(status));
    }

    private static void awaitTypes(Receiver receiver, String id, String... types) {
        await().atMost(SOON).untilAsserted(() -> assertThat(receiver.of(id))
                .extracting(webhook -> webhook.type().replace("transaction.", ""))
                .containsExactly(types));
    }
}
