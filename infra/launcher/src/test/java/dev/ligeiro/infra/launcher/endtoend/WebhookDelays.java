package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.MerchantApi;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A new merchant with an endpoint of its own creates a cashin every 100 ms, which is paid at once. Measures the time from each request to
 * the webhook {@code transaction.paid}.
 */
final class WebhookDelays implements AutoCloseable {

    private static final Duration ARRIVED_WITHIN = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(250);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, Instant> sentAt = new ConcurrentHashMap<>();
    private final Queue<CompletableFuture<?>> requests = new ConcurrentLinkedQueue<>();
    private final EndToEndMerchant merchant;
    private final Receiver receiver;

    WebhookDelays(EndToEndMerchant merchant) {
        this.merchant = merchant;
        receiver = new Receiver(merchant);
        clock.scheduleAtFixedRate(this::next, 0, 100, TimeUnit.MILLISECONDS);
    }

    private void next() {
        Instant now = Instant.now();
        requests.add(merchant.api()
                .postAsync(MerchantApi.CASHIN_PATH, merchant.cashin("10.11"))
                .thenAccept(answer ->
                        sentAt.put(new ShownTransaction(answer.expect(201).transaction()).id(), now)));
    }

    /** Stops, waits until every request is answered and every webhook has arrived, and returns the times, the shortest first. */
    List<Duration> end() {
        clock.shutdown();
        CompletableFuture.allOf(requests.toArray(CompletableFuture[]::new)).join();
        await().atMost(ARRIVED_WITHIN).pollInterval(POLL).untilAsserted(() -> assertThat(paidAt())
                .containsKeys(sentAt.keySet().toArray(String[]::new)));
        Map<String, Instant> paidAt = paidAt();
        return sentAt.entrySet().stream()
                .map(sent -> Duration.between(sent.getValue(), paidAt.get(sent.getKey())))
                .sorted()
                .toList();
    }

    /** When the webhook of each transaction arrived first. */
    private Map<String, Instant> paidAt() {
        Map<String, Instant> paidAt = new HashMap<>();
        for (ReceivedWebhook webhook : receiver.received()) {
            if (webhook.type().equals("transaction.paid")) {
                paidAt.putIfAbsent(webhook.transaction().id(), webhook.request().at());
            }
        }
        return paidAt;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        receiver.close();
    }
}
