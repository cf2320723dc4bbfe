package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(5)
class ApprovalsIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final DemoEnv env = SharedSystem.running().environment();
    private final AdminApi admin = AdminApi.of(env);
    private final String id = admin.createMerchant(Map.of("name", "A merchant with a guard"));
    private final EndToEndMerchant merchant = new EndToEndMerchant(new MerchantApi(
            new Api(env.baseUrl(), admin.createKey(id, "test")), admin.createPlatform(id, "web", "test")));
    private final Api operator = admin.api();
    private final Api approver = new Api(
            env.baseUrl(),
            operator.post(
                            "/admin/merchants/" + id + "/keys",
                            Map.of("mode", "test", "scopes", List.of("cashouts:approve")))
                    .expect(201)
                    .text("key"));

    @BeforeEach
    void guard() {
        operator.put("/admin/merchants/" + id + "/guard", Map.of("mode", "test", "approval_above", "500.00"))
                .expect(200);
        await().atMost(SOON).until(() -> {
            String probe = cashout("500.01");
            await().atMost(SOON).until(() -> !merchant.show(probe).status().equals("pending"));
            return merchant.show(probe).status().equals("in_analysis");
        });
    }

    @Test
    void aCashoutIsPaidWhenTheMerchantApprovesItAndDeniedWhenAnOperatorRejectsIt() {
        try (Receiver receiver = new Receiver(merchant)) {
            String small = cashout("500.00");
            String approved = waiting();
            String rejected = waiting();

            approver.postNothing(path(approved, "approve")).expectSuccess();
            operator.post("/admin/transactions/" + rejected + "/reject", Map.of("reason", "nobody knows it"))
                    .expectSuccess();

            await().atMost(SOON)
                    .until(() -> merchant.show(small).status().equals("paid")
                            && merchant.show(approved).status().equals("paid")
                            && merchant.show(rejected).status().equals("denied"));
            assertThat(merchant.show(rejected).text("denial_reason")).isEqualTo("not_approved");
            await().atMost(SOON).untilAsserted(() -> {
                assertThat(receiver.of(approved))
                        .extracting(ReceivedWebhook::type)
                        .containsExactly(
                                "transaction.created",
                                "transaction.in_analysis",
                                "transaction.in_process",
                                "transaction.paid");
                assertThat(receiver.of(rejected))
                        .extracting(ReceivedWebhook::type)
                        .containsExactly("transaction.created", "transaction.in_analysis", "transaction.denied");
            });
            assertThat(receiver.of(rejected).get(2).transaction().text("denial_reason"))
                    .isEqualTo("not_approved");
        }
    }

    @Test
    void ofTenDecisionsAtOnceOneCounts() {
        String waiting = waiting();

        List<CompletableFuture<Answer>> answers = Stream.of(
                        "approve", "reject", "approve", "reject", "approve", "reject", "approve", "reject", "approve",
                        "reject")
                .map(verb -> CompletableFuture.supplyAsync(() -> approver.postNothing(path(waiting, verb))))
                .toList();
        List<Integer> statuses = answers.stream()
                .map(CompletableFuture::join)
                .map(Answer::status)
                .toList();

        // 202 when the processor has taken longer than the 2 s for which the gateway waits
        assertThat(statuses).isSubsetOf(200, 202, 409);
        assertThat(statuses).filteredOn(status -> status == 200).hasSizeLessThanOrEqualTo(1);
        await().atMost(SOON).until(() -> List.of("paid", "denied")
                .contains(merchant.show(waiting).status()));
        assertThat(merchant.show(waiting).events())
                .isIn(
                        List.of("paid", "in_process", "in_analysis", "pending"),
                        List.of("denied", "in_analysis", "pending"));
        approver.postNothing(path(waiting, "approve")).expectProblem(409, "invalid_transition");
    }

    private String waiting() {
        String waiting = cashout("500.01");
        await().atMost(SOON).until(() -> merchant.show(waiting).status().equals("in_analysis"));
        return waiting;
    }

    private String cashout(String amount) {
        return merchant.api()
                .post(MerchantApi.CASHOUT_PATH, merchant.cashout(amount))
                .expect(201)
                .transactionId();
    }

    private static String path(String id, String verb) {
        return MerchantApi.transactionPath(id) + "/" + verb;
    }
}
