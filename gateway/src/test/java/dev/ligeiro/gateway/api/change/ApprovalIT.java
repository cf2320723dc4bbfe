package dev.ligeiro.gateway.api.change;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.transaction.ChangeAction.Approval;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Approving and rejecting cashouts, by merchants and by operators. A test plays the processor. */
class ApprovalIT extends WithGateway {

    private static final String REASON = "{\"reason\":\"a supplier of ours\"}";

    private final TestMerchant approver =
            merchant.withKey(merchant.newKey("cashouts:approve").key());
    private final PlayedProcessor processor = new PlayedProcessor(gateway);

    private String waiting() {
        return processor.waiting(
                merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId());
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    /** The answer to a request that the processor carries out. */
    private Answer made(String id, Supplier<Answer> request) {
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(request);
        processor.make(id, 1);
        return answer.join();
    }

    @Test
    void anApprovalNeedsNoBodyAndIsReplayed() {
        String id = waiting();
        String key = key();

        Answer answer = made(id, () -> approver.post(ONE + id + "/approve", "", key));
        assertThat(answer.status()).isIn(200, 202);
        assertThat(processor.awaitChange(id, 1).action()).isEqualTo(new Approval(true, Source.MERCHANT, null));

        Answer again = approver.post(ONE + id + "/approve", "{}", key).expect(200);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.transaction().path("status").stringValue()).isEqualTo("in_process");
        approver.post(ONE + id + "/approve", REASON, key).expectProblem(422, "idempotency_key_reused");
        approver.post(ONE + id + "/reject", "", key).expectProblem(422, "idempotency_key_reused");
        approver.api().postNothing(ONE + id + "/reject").expectProblem(409, "invalid_transition");
    }

    @Test
    void aRejectionIsADenialWithItsReason() {
        String id = waiting();
        String key = key();

        made(id, () -> approver.post(ONE + id + "/reject", REASON, key));
        JsonNode rejected =
                approver.post(ONE + id + "/reject", REASON, key).expect(200).transaction();

        assertThat(rejected.path("status").stringValue()).isEqualTo("denied");
        assertThat(rejected.path("denial_reason").stringValue()).isEqualTo("not_approved");
        assertThat(processor.awaitChange(id, 1).action())
                .isEqualTo(new Approval(false, Source.MERCHANT, "a supplier of ours"));
        approver.api().postNothing(ONE + id + "/approve").expectProblem(409, "invalid_transition");
    }

    @ParameterizedTest
    @CsvSource({"MERCHANT_FROZEN, 409, merchant_frozen", "UNAVAILABLE, 503, unavailable"})
    void whatTheProcessorRefusesGoesOnWaiting(ChangeRefusal refusal, int status, String code) {
        String id = waiting();
        String key = key();

        CompletableFuture<Answer> answer = approver.postAsync(ONE + id + "/approve", "", key);
        processor.refuse(id, 1, refusal);

        Answer refused = answer.join();
        if (refused.status() != 202) {
            refused.expectProblem(status, code);
        }
        assertThat(stored.find(id).approvalSince()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"approve", "reject"})
    void theRailsOwnAnalysisCannotBeDecided(String verb) {
        String id = merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId();
        stored.move(id, Status.IN_ANALYSIS);

        approver.api().postNothing(ONE + id + "/" + verb).expectProblem(409, "invalid_transition");
    }

    @Test
    void aFrozenMerchantDecidesNothing() {
        String id = waiting();
        merchant.freeze(true);

        approver.api().postNothing(ONE + id + "/approve").expectProblem(409, "merchant_frozen");
        approver.api().postNothing(ONE + id + "/reject").expectProblem(409, "merchant_frozen");

        merchant.freeze(false);
        assertThat(made(id, () -> approver.api().postNothing(ONE + id + "/approve"))
                        .status())
                .isIn(200, 202);
    }

    @Test
    void aKeyThatCreatesCashoutsApprovesNone() {
        String id = waiting();

        merchant.api().postNothing(ONE + id + "/approve").expectProblem(403, "separate_key_required");
        assertThat(processor.changes(id)).isEmpty();

        assertThat(made(id, () -> approver.api().postNothing(ONE + id + "/approve"))
                        .status())
                .isIn(200, 202);
    }
}
