package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(2)
class CreateAndPayIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final EndToEndMerchant merchant = SharedSystem.running().demoMerchant();

    @Test
    void aPaidCashinIsAnnouncedWithItsExtraVerbatim() {
        String extra = " a \"quoted\" \\ word\n\tand <b>ação</b> 🚀 ";
        try (Receiver receiver = new Receiver(merchant)) {
            Map<String, Object> request = merchant.cashin("150.75");
            request.put("extra", extra);
            request.put("reference", "order-" + System.nanoTime());
            ShownTransaction created = merchant.createCashin(request);
            assertThat(created.status()).isEqualTo("pending");
            assertThat(created.events()).containsExactly("pending");

            merchant.pay(created.id());

            await().atMost(SOON).until(() -> receiver.of(created.id()).size() == 2);
            ReceivedWebhook paid = receiver.of(created.id()).get(1);
            assertThat(paid.type()).isEqualTo("transaction.paid");
            assertThat(paid.sequence()).isEqualTo(2);
            assertThat(paid.payload()
                            .required("data")
                            .required("previous_status")
                            .asString())
                    .isEqualTo("pending");
            assertThat(paid.transaction().text("extra")).isEqualTo(extra);
            assertThat(paid.transaction().events()).containsExactly("paid", "pending");

            ShownTransaction shown = merchant.show(created.id());
            assertThat(shown.text("extra")).isEqualTo(extra);
            assertThat(shown.status()).isEqualTo("paid");
            assertThat(shown.events()).containsExactly("paid", "pending");
        }
    }
}
