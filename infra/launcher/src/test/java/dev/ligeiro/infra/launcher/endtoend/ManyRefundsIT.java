package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.launcher.endtoend.Receiver.ReceivedWebhook;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** A merchant refunds its cashins as often as possible, with the longest texts. Its work is done, and that of the others is not delayed. */
@Order(7)
@Isolated("it measures delays")
@Timeout(300)
@Tag("nightly")
class ManyRefundsIT {

    private static final int REFUNDS_MAX = 100;
    private static final int TRIES_OF_THE_LAST = 4;
    private static final int THREADS = 40;
    private static final int SHOWN_MAX = 20;
    private static final int PAYLOAD_BYTES_MAX = 32_000;
    private static final String FOUR_BYTES = "🚀";
    private static final Duration SOON = Duration.ofSeconds(60);
    /** Of another merchant's webhook, on a busy machine. */
    private static final Duration DELAY_MAX = Duration.ofSeconds(20);

    private static final int CASHINS = 10;
    /** With the healthy one as many endpoints as possible. */
    private static final int HANGING = 19;

    private static final Duration POLL = Duration.ofMillis(500);

    private final SharedSystem ligeiro = SharedSystem.running();
    private final EndToEndMerchant merchant = ligeiro.newMerchant();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final WebhookReceiver hanging = new WebhookReceiver();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> hangingEndpoints = new ArrayList<>();

    /** Deleted endpoints leave no backlog to the tests that follow. */
    @AfterEach
    void close() {
        threads.shutdownNow();
        end.countDown();
        hanging.close();
        hangingEndpoints.forEach(
                path -> Api.send(merchant.api().request(path).DELETE()).expectSuccess());
    }

    @Test
    void aHundredRefundsOfEachCashinAreMadeAndOtherMerchantsDoNotWait() {
        DemoEnv.Pids pids = ligeiro.environment().pids();
        EndToEndMerchant other = ligeiro.newMerchant();
        try (Receiver receiver = new Receiver(merchant);
                Receiver others = new Receiver(other)) {
            IntStream.range(0, HANGING).forEach(this::registerHanging);
            List<String> ids = inParallel(Collections.nCopies(CASHINS, "1000.11"), this::paidCashin);
            inParallel(repeated(REFUNDS_MAX - 1, ids), this::refundWithKey);
            String paid = other.createCashin(other.cashin("10.11")).id();
            await("the other merchant's webhook")
                    .atMost(DELAY_MAX)
                    .until(() -> others.of(paid).size() == 2);
            List<Answer> last = inParallel(repeated(TRIES_OF_THE_LAST, ids), this::refund);
            // 202 when the processor has taken longer than the 2 s for which the gateway waits
            assertThat(last).extracting(Answer::status).isSubsetOf(200, 202, 409);
            Set<String> refunds = ids.stream()
                    .flatMap(id -> refundsOnceAllAreMade(id).stream())
                    .collect(Collectors.toSet());
            ids.forEach(this::requireNoFurtherRefund);
            requireOneSmallWebhookForEach(refunds, receiver);
            assertThat(ligeiro.environment().pids()).isEqualTo(pids);
        }
    }

    private void registerHanging(int number) {
        String path = "/" + number;
        hanging.behave(path, WebhookReceiver.when(end, WebhookReceiver.status(204)));
        JsonNode endpoint = merchant.api()
                .post(MerchantApi.WEBHOOKS_PATH, Map.of("url", hanging.url(path), "events", Receiver.EVERY_TYPE))
                .expect(201)
                .json();
        hangingEndpoints.add(
                MerchantApi.WEBHOOKS_PATH + "/" + endpoint.required("id").asString());
    }

    private String paidCashin(String amount) {
        Map<String, Object> request = merchant.cashin(amount);
        request.put("name", FOUR_BYTES.repeat(100));
        request.put("description", FOUR_BYTES.repeat(255));
        request.put("extra", FOUR_BYTES.repeat(255));
        String id = merchant.createCashin(request).id();
        await().atMost(SOON).until(() -> merchant.show(id).status().equals("paid"));
        return id;
    }

    /** Repeats the request with its key while the system is overloaded. */
    private Answer refundWithKey(String id) {
        HttpRequest.Builder request = refundRequest(id).header("Idempotency-Key", UUID.randomUUID() + "k".repeat(219));
        return await().atMost(SOON)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .until(() -> Api.send(request), answer -> answer.status() != 503 && answer.status() != 429)
                .expectSuccess();
    }

    private Answer refund(String id) {
        return Api.send(refundRequest(id));
    }

    private HttpRequest.Builder refundRequest(String id) {
        Map<String, String> body = Map.of(
                "amount",
                "1.00",
                "refund_reference",
                FOUR_BYTES.repeat(14) + UUID.randomUUID(),
                "description",
                FOUR_BYTES.repeat(255));
        return merchant.api().json("POST", MerchantApi.transactionPath(id) + "/refund", body);
    }

    /** Returns their ids. */
    private List<String> refundsOnceAllAreMade(String id) {
        await().atMost(SOON)
                .pollInterval(POLL)
                .until(() -> merchant.show(id).text("refunded_amount").equals("100.00"));
        ShownTransaction shown = merchant.show(id);
        assertThat(shown.json().required("refunds_count").asInt()).isEqualTo(REFUNDS_MAX);
        assertThat(shown.refundStates()).hasSize(SHOWN_MAX).containsOnly("refunded");

        JsonNode page = merchant.api()
                .get(MerchantApi.transactionPath(id) + "/refunds")
                .expect(200)
                .json();
        assertThat(new ShownTransaction(page).refundStates())
                .hasSize(REFUNDS_MAX)
                .containsOnly("refunded");
        return page.required("refunds")
                .valueStream()
                .map(refund -> refund.required("id").asString())
                .toList();
    }

    private void requireNoFurtherRefund(String id) {
        assertThat(refund(id).expect(409).json().required("code").asString()).isEqualTo("refund_limit_reached");
    }

    private static void requireOneSmallWebhookForEach(Set<String> refunds, Receiver receiver) {
        await().atMost(SOON).pollInterval(POLL).until(() -> announced(receiver).size() >= refunds.size());
        assertThat(announced(receiver)).containsExactlyInAnyOrderElementsOf(refunds);
        assertThat(receiver.received())
                .extracting(webhook -> webhook.request().body().getBytes(StandardCharsets.UTF_8).length)
                .allSatisfy(bytes -> assertThat(bytes).isLessThanOrEqualTo(PAYLOAD_BYTES_MAX));
    }

    /** The refund of each webhook; a repeated webhook counts once. */
    private static List<String> announced(Receiver receiver) {
        return receiver.received().stream()
                .filter(webhook -> webhook.type().equals("transaction.refunded_partially"))
                .collect(Collectors.toMap(ReceivedWebhook::id, ManyRefundsIT::onlyRefund, (first, repeated) -> first))
                .values()
                .stream()
                .toList();
    }

    private static String onlyRefund(ReceivedWebhook webhook) {
        JsonNode refunds = webhook.transaction().json().required("refunds");
        assertThat(refunds).hasSize(1);
        return refunds.required(0).required("id").asString();
    }

    private static List<String> repeated(int times, List<String> ids) {
        return Collections.nCopies(times, ids).stream().flatMap(List::stream).toList();
    }

    private <T> List<T> inParallel(List<String> arguments, Function<String, T> call) {
        return arguments.stream()
                .map(argument -> CompletableFuture.supplyAsync(() -> call.apply(argument), threads))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }
}
