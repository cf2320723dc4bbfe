package dev.ligeiro.gateway.publish;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.TransactionCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class PublishIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    PublishIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    /** The processor therefore need not read the transaction. */
    @Test
    void aCommandCarriesTheWholeTransaction() {
        try (SentCommands commands = new SentCommands();
                TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            String cashin =
                    merchant.created(merchant.cashin().put("reference", "r-1").put("extra", " é\n"));
            String cashout =
                    merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId();

            for (String id : List.of(cashin, cashout)) {
                await().until(() -> !commands.of(id).isEmpty());
                commands.readToTheEnd();
                assertThat(commands.of(id)).containsExactly(new TransactionCommand.Process(stored.find(id)));
            }
        }
    }

    @Test
    void everyTransactionOfABurstIsPublishedOnce() {
        try (SentCommands commands = new SentCommands()) {
            List<CompletableFuture<Answer>> calls = IntStream.range(0, 300)
                    .mapToObj(i -> merchant.api().postAsync(CASHIN, merchant.cashin()))
                    .toList();
            List<Answer> answers = calls.stream().map(CompletableFuture::join).toList();
            List<String> ids = answers.stream()
                    .filter(answer -> answer.status() == 201)
                    .map(Answer::transactionId)
                    .toList();
            // a busy machine refuses some
            assertThat(answers).extracting(Answer::status).isSubsetOf(201, 503);
            assertThat(ids).hasSizeGreaterThan(50);

            await().until(() -> ids.stream().noneMatch(id -> commands.of(id).isEmpty()));
            commands.readToTheEnd();
            assertThat(ids).allSatisfy(id -> assertThat(commands.of(id)).hasSize(1));
        }
    }
}
