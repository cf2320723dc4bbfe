package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.standardwebhooks.Webhook;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a merchant does with its webhook endpoint, from the gateway's API to the receiver. */
@Order(2)
class WebhooksIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String PATH = "/hooks";

    private final EndToEndMerchant merchant =
            EndToEndMerchant.create(SharedSystem.running().environment());
    private final WebhookReceiver receiver = new WebhookReceiver();

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void duringARotationATestEventIsVerifiedWithEitherSecret() throws Exception {
        JsonNode endpoint =
                register(Map.of("url", receiver.url(PATH), "headers", Map.of("Authorization", "Basic YTpi")));
        String path = path(endpoint);
        JsonNode rotated =
                merchant.api().postNothing(path + "/rotate-secret").expect(200).json();

        merchant.api().postNothing(path + "/test").expect(202);

        await().atMost(SOON).until(() -> !receiver.received(PATH).isEmpty());
        Received received = receiver.received(PATH).get(0);
        assertThat(received.header("authorization")).isEqualTo("Basic YTpi");
        assertThat(received.body()).startsWith("{\"type\":\"webhook.test\"");
        for (JsonNode shown : List.of(endpoint, rotated)) {
            new Webhook(shown.required("secret").asString()).verify(received.body(), headers(received));
        }
        await().atMost(SOON).until(() -> statuses(path + "/deliveries").equals(List.of("delivered")));
    }

    /** The endpoint's URL responds with 410 for a while. Then the merchant enables it and replays what it missed. */
    @Test
    void whatADisabledEndpointMissedIsReplayedWithTheSameId() {
        receiver.behave(PATH, WebhookReceiver.status(410));
        String path = path(register(Map.of("url", receiver.url(PATH), "events", List.of("transaction.paid"))));
        Instant before = Instant.now().minusSeconds(60);
        ShownTransaction created = merchant.createCashin(merchant.cashin("10.00"));
        merchant.pay(created.id());
        await().atMost(SOON)
                .until(() -> statuses(path + "/deliveries?status=undelivered").equals(List.of("canceled")));
        JsonNode disabled = merchant.api().get(path).expect(200).json();
        assertThat(disabled.required("disabled_reason").asString()).isEqualTo("gone");
        assertThat(disabled.required("disabled_since").asString()).isNotEmpty();

        receiver.behave(PATH, WebhookReceiver.status(204));
        int missed = receiver.received(PATH).size();
        Api.send(merchant.api().json("PATCH", path, Map.of("enabled", true))).expect(200);
        merchant.api()
                .post(
                        path + "/replay",
                        Map.of(
                                "from",
                                before.toString(),
                                "to",
                                Instant.now().plusSeconds(60).toString()))
                .expect(202);

        await().atMost(SOON).until(() -> receiver.received(PATH).size() > missed);
        Received first = receiver.received(PATH).get(0);
        Received replayed = receiver.received(PATH).get(missed);
        assertThat(replayed.header("webhook-id")).isEqualTo(first.header("webhook-id"));
        assertThat(replayed.body()).isEqualTo(first.body()).contains(created.id());
        await().atMost(SOON).until(() -> statuses(path + "/deliveries").equals(List.of("delivered")));
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

    /** The library expects lower-case names. */
    private static Map<String, List<String>> headers(Received received) {
        return received.headers().entrySet().stream()
                .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
    }
}
