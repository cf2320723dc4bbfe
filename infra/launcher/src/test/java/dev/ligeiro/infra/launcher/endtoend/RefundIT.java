package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(5)
class RefundIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final EndToEndMerchant merchant = SharedSystem.running().newMerchant();

    @Test
    void partialRefundsAreAnnouncedAndTheLastOneEndsTheTransaction() {
        try (Receiver receiver = new Receiver(merchant)) {
            String id = paidCashin("10.11");

            refund(id, Map.of("amount", "4.00", "refund_reference", "r-1")).expectSuccess();
            await().atMost(SOON).until(() -> merchant.show(id).refundStates().equals(List.of("refunded")));
            assertThat(merchant.show(id).status()).isEqualTo("paid");
            assertThat(merchant.show(id).text("refunded_amount")).isEqualTo("4.00");

            refund(id, Map.of()).expectSuccess();
            await().atMost(SOON).until(() -> merchant.show(id).status().equals("refund"));
            assertThat(merchant.show(id).text("refunded_amount")).isEqualTo("10.11");
            assertThat(merchant.show(id).events()).containsExactly("refund", "paid", "pending");

            await().atMost(SOON).untilAsserted(() -> assertThat(receiver.of(id))
                    .extracting(ReceivedWebhook::type)
                    .containsExactly(
                            "transaction.created",
                            "transaction.paid",
                            "transaction.refunded_partially",
                            "transaction.refund"));
        }
    }

    @Test
    void twentyRefundsAtOnceNeverExceedTheAmount() {
        String id = paidCashin("10.11");

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

    private String paidCashin(String amount) {
        String id = merchant.createCashin(merchant.cashin(amount)).id();
        await().atMost(SOON).until(() -> merchant.show(id).status().equals("paid"));
        return id;
    }

    private Answer refund(String id, Map<String, ?> body) {
        return merchant.api().post("/api/v1/transaction/" + id + "/refund", body);
    }
}
