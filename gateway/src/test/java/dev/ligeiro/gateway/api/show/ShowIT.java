package dev.ligeiro.gateway.api.show;

import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class ShowIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    ShowIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @Test
    void aRefundedTransactionShowsTheTimeOfItsRefund() {
        String id = merchant.created(merchant.cashin());
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.move(id, Status.PAID, Status.REFUND);
        }

        JsonNode refunded = merchant.api().get(ONE + id).expect(200).transaction();

        assertThat(statuses(refunded)).containsExactly("refund", "paid", "pending");
        assertThat(refunded.path("finished").stringValue())
                .isEqualTo(refunded.path("events").path(0).path("date_created").stringValue());
    }

    private static List<String> statuses(JsonNode transaction) {
        List<String> statuses = new ArrayList<>();
        transaction
                .path("events")
                .forEach(event -> statuses.add(event.path("status").stringValue()));
        return statuses;
    }

    @Test
    void anIdIsFoundInEitherCase() {
        String id = merchant.created(merchant.cashin());

        assertThat(merchant.api()
                        .get(ONE + id.toUpperCase(Locale.ROOT))
                        .expect(200)
                        .transactionId())
                .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x", "1", "0-0-0-0-0", "019cd831-1973-7abc-9def-0123456789a", "%00", "%7B%22$ne%22:1%7D", "..%2F"
            })
    void aMalformedIdIsNotFound(String id) {
        merchant.api().get(ONE + id).expectProblem(404, "transaction_not_found");
    }

    /** A later version has stored a transaction that this one cannot read. Reads at the same time are one query. */
    @Test
    void anUnreadableTransactionFailsItsOwnReadersOnly() {
        String unreadable = merchant.created(merchant.cashin());
        String good = merchant.created(merchant.cashin());
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.distort(stored.find(unreadable), Updates.set(TransactionFields.OPERATION, "melted"));
        }

        List<CompletableFuture<Answer>> answers = IntStream.range(0, 40)
                .mapToObj(i -> merchant.api().getAsync(ONE + (i % 4 == 1 ? unreadable : good)))
                .toList();

        assertThat(answers)
                .extracting(answer -> answer.join().status())
                .containsExactlyElementsOf(IntStream.range(0, 40)
                        .mapToObj(i -> i % 4 == 1 ? 500 : 200)
                        .toList());
    }
}
