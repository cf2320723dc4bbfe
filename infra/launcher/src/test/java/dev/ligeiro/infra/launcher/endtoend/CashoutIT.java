package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(3)
class CashoutIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final EndToEndMerchant merchant = SharedSystem.running().newMerchant();

    @Test
    void isPaidWithoutAPayerAndEachStepIsAnnouncedWithItsSequence() {
        try (Receiver receiver = new Receiver(merchant)) {
            ShownTransaction created = merchant.createCashout(merchant.cashout("99.90"));
            assertThat(created.text("pix_key")).isEqualTo("joao@example.com");
            assertThat(created.json().has("qr_code")).isFalse();

            await().atMost(SOON).until(() -> receiver.of(created.id()).size() == 3);
            List<ReceivedWebhook> webhooks = receiver.of(created.id());
            assertThat(webhooks)
                    .extracting(ReceivedWebhook::type)
                    .containsExactly("transaction.created", "transaction.in_process", "transaction.paid");
            assertThat(webhooks).extracting(ReceivedWebhook::sequence).containsExactly(1, 2, 3);
            assertThat(webhooks).extracting(ReceivedWebhook::id).doesNotHaveDuplicates();
            assertThat(webhooks.get(1).transaction().events()).containsExactly("in_process", "pending");
            assertThat(merchant.show(created.id()).events()).containsExactly("paid", "in_process", "pending");
        }
    }
}
