package dev.ligeiro.gateway.api.show;

import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ShowIT extends WithGateway {

    @Test
    void aRefundedTransactionShowsTheTimeOfItsRefund() {
        String id = merchant.created(merchant.cashin());
        stored.move(id, Status.PAID, Status.REFUND);

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

    @Test
    void aTransactionOfAnArchivedMonthIsGone() {
        gateway.archived(YearMonth.of(2019, 7), List.of());
        String id = ONE + TransactionId.at(Instant.parse("2019-07-31T23:59:59Z"));

        for (String path : List.of("", "/refunds", "/history")) {
            assertThat(merchant.api()
                            .get(id + path)
                            .expectProblem(410, "transaction_archived")
                            .text("month"))
                    .isEqualTo("2019-07");
        }
        for (String change : List.of("/cancel", "/refund")) {
            merchant.api().post(id + change, "{}").expectProblem(410, "transaction_archived");
        }
        merchant.api()
                .get(ONE + TransactionId.at(Instant.parse("2019-08-01T00:00:00Z")))
                .expectProblem(404, "transaction_not_found");
    }

    /** A later version has stored a transaction that this one cannot read. Reads at the same time are one query. */
    @Test
    void anUnreadableTransactionFailsItsOwnReadersOnly() {
        String unreadable = merchant.created(merchant.cashin());
        String good = merchant.created(merchant.cashin());
        stored.distort(stored.find(unreadable), Updates.set(TransactionFields.OPERATION, "melted"));

        List<CompletableFuture<Answer>> answers = IntStream.range(0, 40)
                .mapToObj(i -> merchant.api().getAsync(ONE + (i % 4 == 1 ? unreadable : good)))
                .toList();

        assertThat(answers)
                .extracting(answer -> answer.join().status())
                .containsExactlyElementsOf(IntStream.range(0, 40)
                        .mapToObj(i -> i % 4 == 1 ? 500 : 200)
                        .toList());
    }

    @ParameterizedTest(name = "{0} refunds have {1} pages")
    @CsvSource({
        // refunds, pages
        "0, 1",
        "3, 1",
        "100, 1",
        "101, 2",
        // the rail moves money back without a request
        "250, 3"
    })
    void allRefundsAreListedOldestFirst(int count, int pages) {
        String id = merchant.created(merchant.cashin());
        List<String> refunds = refund(id, count);

        List<String> seen = new ArrayList<>();
        String after = "";
        int read = 0;
        do {
            JsonNode page = merchant.api().get(refunds(id) + after).expect(200).json();
            page.path("refunds").forEach(refund -> seen.add(refund.path("id").stringValue()));
            after = page.path("next_cursor").isNull()
                    ? ""
                    : "?after=" + page.path("next_cursor").stringValue();
            read++;
        } while (!after.isEmpty());

        assertThat(seen).isEqualTo(refunds);
        assertThat(read).isEqualTo(pages);
    }

    @Test
    void theTransactionShowsTheNewestTwentyAndTheNumberOfAll() {
        String id = merchant.created(merchant.cashin());
        List<String> refunds = refund(id, 25);

        JsonNode shown = merchant.api().get(ONE + id).expect(200).transaction();
        JsonNode listed = merchant.api().get(refunds(id)).expect(200).json().path("refunds");

        assertThat(shown.path("refunds_count").asInt()).isEqualTo(25);
        assertThat(shown.path("refunded_amount").stringValue()).isEqualTo("0.25");
        assertThat(shown.path("refunds").valueStream())
                .containsExactlyElementsOf(listed.valueStream().skip(5).toList());
        assertThat(shown.at("/refunds/19/id").stringValue()).isEqualTo(refunds.get(24));
    }

    @Test
    void aCursorIsTheIdOfAnyRefundOfTheTransaction() {
        String id = merchant.created(merchant.cashin());
        List<String> refunds = refund(id, 3);

        Answer rest = merchant.api().get(refunds(id) + "?after=" + refunds.get(0));

        assertThat(rest.expect(200).json().path("refunds").valueStream())
                .extracting(refund -> refund.path("id").stringValue())
                .isEqualTo(refunds.subList(1, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x", "1", "%00", "019cd831-1973-7abc-9def-0123456789a", "2b5c1fd9-4f0e-4d1e-8a35-95b1c3e0a001"})
    void anotherCursorIsRefused(String cursor) {
        String id = merchant.created(merchant.cashin());
        refund(id, 1);

        assertThat(merchant.api()
                        .get(refunds(id) + "?after=" + cursor)
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("after:invalid");
    }

    private static String refunds(String id) {
        return ONE + id + "/refunds";
    }

    /** The ids of refunds by the rail of a cent each. */
    private List<String> refund(String id, int count) {
        List<RefundId> ids =
                Stream.generate(() -> RefundId.at(Instant.now())).limit(count).toList();
        stored.move(id, Status.PAID);
        stored.append(
                id,
                ids.stream()
                        .flatMap(refund -> Stream.of(
                                new Entry.RefundRequested(
                                        refund, new Amount(1), Source.RAIL, null, null, Instant.now(), null),
                                new Entry.RefundMade(refund, false, Instant.now())))
                        .toArray(Entry[]::new));
        return ids.stream().map(RefundId::toString).toList();
    }
}
