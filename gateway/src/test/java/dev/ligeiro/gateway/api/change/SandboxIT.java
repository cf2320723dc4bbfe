package dev.ligeiro.gateway.api.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Status;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SharedGateway.class)
class SandboxIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    SandboxIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @ParameterizedTest
    @EnumSource(SandboxAction.class)
    void everyActionIsAnsweredAndReplayed(SandboxAction action) {
        String id = merchant.created(merchant.cashin());
        String path = "/api/v1/sandbox/transaction/" + id + "/" + action.code();
        String key = UUID.randomUUID().toString();
        try (PlayedProcessor processor = new PlayedProcessor(gateway)) {
            if (action == SandboxAction.REFUND) {
                processor.stored().move(id, Status.PAID);
            }
            CompletableFuture<Answer> first = merchant.postAsync(path, "", key);
            processor.make(id, 1);

            Answer second = merchant.post(path, "", key).expect(200);
            assertThat(second.transaction().path("status").stringValue())
                    .isEqualTo(action.target().code());
            assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
            assertInTimeOrQueued(first.join(), second);
            assertThat(processor.changes(id)).hasSize(1);
        }
    }

    /** On a busy machine the outcome may have come after the 2 s for which the gateway waits. */
    private static void assertInTimeOrQueued(Answer first, Answer outcome) {
        if (first.status() == 202) {
            assertThat(first.after()).isGreaterThanOrEqualTo(RequestChange.OUTCOME_MAX);
        } else {
            assertThat(first.expect(200).body()).isEqualTo(outcome.body());
        }
    }
}
