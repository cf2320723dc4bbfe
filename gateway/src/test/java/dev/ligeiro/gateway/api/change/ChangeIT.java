package dev.ligeiro.gateway.api.change;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TestMerchant.NewKey;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Cancel and refund. A test plays the processor. */
class ChangeIT extends WithGateway {

    private final PlayedProcessor processor = new PlayedProcessor(gateway);

    private static String cancel(String id) {
        return ONE + id + "/cancel";
    }

    private static String refund(String id) {
        return ONE + id + "/refund";
    }

    private static String newKey() {
        return UUID.randomUUID().toString();
    }

    private String pending() {
        return merchant.created(merchant.cashin());
    }

    private String paid() {
        String id = pending();
        stored.move(id, Status.PAID);
        return id;
    }

    /** The answer to a request that the processor carries out as its change number {@code count}. */
    private Answer made(String path, String body, String key, String id, int count) {
        CompletableFuture<Answer> answer = merchant.postAsync(path, body, key);
        processor.make(id, count);
        assertThat(answer.join().header("Idempotent-Replayed")).isEmpty();
        return outcome(answer, path, body, key);
    }

    /**
     * The outcome of a request that the processor has carried out. On a busy machine it may have come after the 2 s for which the gateway
     * waits; then the repeated request is answered with it.
     */
    private Answer outcome(CompletableFuture<Answer> answer, String path, String body, String key) {
        Answer first = answer.join();
        if (first.status() != 202) {
            return first;
        }
        assertThat(first.after()).isGreaterThanOrEqualTo(RequestChange.OUTCOME_MAX);
        return merchant.post(path, body, key);
    }

    @Test
    void aCancelWaitsForTheProcessor() {
        String id = pending();

        JsonNode canceled = made(cancel(id), "", newKey(), id, 1).expect(200).transaction();
        assertThat(canceled.path("status").stringValue()).isEqualTo("canceled");
        assertThat(processor.awaitChange(id, 1).action()).isEqualTo(new ChangeAction.Cancel());
    }

    /** After a leak, an operator must learn what one key did; the desk reads it. */
    @Test
    void eachChangeIsStoredWithTheKeyThatMadeIt() {
        NewKey leakedKey = merchant.newKey("transactions:read", "transactions:write", "webhooks:manage");
        TestMerchant leaked = merchant.withKey(leakedKey.key());
        String refunded = leaked.created(leaked.cashin());
        stored.move(refunded, Status.PAID);
        CompletableFuture<Answer> refund = leaked.postAsync(refund(refunded), "{}", newKey());
        processor.make(refunded, 1);
        refund.join();
        String endpoint = leaked.api()
                .post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}")
                .expect(201)
                .text("id");
        String path = "/api/v1/webhooks/" + endpoint;
        leaked.api().patch(path, "{\"description\":\"mine\"}").expect(200);
        leaked.api().postNothing(path + "/rotate-secret").expect(200);
        leaked.api().delete(path).expect(204);
        leaked.api().delete(path).expect(404);

        assertThat(stored.find(refunded).history().entries().stream()
                        .flatMap(entry -> Stream.ofNullable(entry.by()))
                        .map(Requester::key))
                .hasSize(2)
                .containsOnly(leakedKey.id());
        assertThat(stored.all("endpoint_changes").stream()
                        .filter(change -> leakedKey.id().equals(change.get("key")))
                        .map(change -> change.getString("what")))
                .containsExactly("register", "patch", "rotate_secret", "delete");
        assertThat(merchant.api().get(ONE + refunded).expect(200).body())
                .doesNotContain(leakedKey.id().toString());
    }

    @Test
    void withoutKafkaTheOutcomeIsUnknown() {
        String id = pending();
        try (RunningGateway withoutKafka = RunningGateway.startOn(
                gateway.database(), gateway.clock(), "spring.kafka.producer.bootstrap-servers=localhost:1")) {
            Answer unavailable = withoutKafka
                    .api()
                    .withToken(merchant.key())
                    .postNothing(cancel(id))
                    .expectProblem(503, "unavailable");

            assertThat(unavailable.header("Retry-After")).isEqualTo("25");
            assertThat(unavailable.text("detail")).contains("may still be made", "Idempotency-Key");
        }
    }

    @ParameterizedTest
    @CsvSource({"PAID, [refund]", "DENIED, []", "CANCELED, []"})
    void aFinishedTransactionCannotBeCanceled(Status status, String allowed) {
        String id = pending();
        stored.move(id, status);

        Answer refused = merchant.api().postNothing(cancel(id)).expectProblem(409, "invalid_transition");

        assertThat(refused.text("from")).isEqualTo(status.code());
        assertThat(refused.text("to")).isEqualTo("canceled");
        assertThat(refused.json().path("allowed").toString()).isEqualTo(allowed.replace("refund", "\"refund\""));
    }

    @Test
    void aRefundIsAnsweredAsSoonAsItIsRequested() {
        String id = paid();
        String body = "{\"amount\":\"50.75\",\"refund_reference\":\" return-1 \",\"description\":\" Shirt\"}";

        JsonNode transaction =
                made(refund(id), body, newKey(), id, 1).expect(200).transaction();
        assertThat(transaction.path("status").stringValue()).isEqualTo("paid");
        assertThat(transaction.path("refunded_amount").stringValue()).isEqualTo("0.00");
        JsonNode refund = transaction.path("refunds").path(0);
        TransactionCommand.Change change = processor.awaitChange(id, 1);
        assertThat(refund.path("id").stringValue())
                .isEqualTo(change.change().id().toString());
        assertThat(refund.path("amount").stringValue()).isEqualTo("50.75");
        assertThat(refund.path("status").stringValue()).isEqualTo("processing");
        assertThat(refund.path("refund_reference").stringValue()).isEqualTo("return-1");
        assertThat(refund.path("description").stringValue()).isEqualTo("Shirt");
        assertThat(change.action()).isEqualTo(new ChangeAction.Refund(new Amount(5075), "return-1", "Shirt"));
    }

    @Test
    void moreThanIsLeftIsRefused() {
        String id = paid();
        made(refund(id), "{\"amount\":100}", newKey(), id, 1).expect(200);

        Answer refused =
                merchant.api().post(refund(id), "{\"amount\":50.76}").expectProblem(409, "refund_exceeds_amount");
        assertThat(refused.text("refundable_amount")).isEqualTo("50.75");

        made(refund(id), "{\"amount\":null,\"refund_reference\":\"\",\"description\":\" \"}", newKey(), id, 2)
                .expect(200);
        assertThat(processor.awaitChange(id, 2).action()).isEqualTo(new ChangeAction.Refund(null, null, null));
        assertThat(merchant.api()
                        .post(refund(id), "{}")
                        .expectProblem(409, "refund_exceeds_amount")
                        .text("refundable_amount"))
                .isEqualTo("0.00");
    }

    @Test
    void aCashoutCannotBeRefunded() {
        String id = merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId();
        stored.move(id, Status.IN_PROCESS, Status.PAID);

        Answer refused = merchant.api().post(refund(id), "{}").expectProblem(409, "invalid_transition");
        assertThat(refused.text("detail")).isEqualTo("A cashout that is paid cannot become refund by this request");
        assertThat(refused.json().path("allowed")).isEmpty();
    }

    @Test
    void theSameRefundReferenceReplaysAndAnotherBodyIsAConflict() {
        String id = paid();
        String body = "{\"amount\":10,\"refund_reference\":\"return-1\"}";
        Answer first = made(refund(id), body, newKey(), id, 1).expect(200);

        Answer second = merchant.api().post(refund(id), body).expect(200);
        Answer other = merchant.api()
                .post(refund(id), body.replace("10", "11"))
                .expectProblem(409, "refund_reference_already_used");

        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(other.text("refund_id"))
                .isEqualTo(
                        first.transaction().path("refunds").path(0).path("id").stringValue());
        assertThat(processor.changes(id)).hasSize(1);
    }

    /** The second request was sent before the first one's refund was stored. */
    @Test
    void ofTwoRefundsAtOnceWithOneReferenceBothFindTheSameRefund() {
        String id = paid();
        String body = "{\"amount\":10,\"refund_reference\":\"return-1\"}";
        String key = newKey();
        String otherKey = newKey();
        CompletableFuture<Answer> first = merchant.postAsync(refund(id), body, key);
        CompletableFuture<Answer> second = merchant.postAsync(refund(id), body, otherKey);
        processor.awaitChange(id, 2);
        processor.make(id, 1);
        processor.make(id, 2);

        assertThat(outcome(first, refund(id), body, key).expect(200).body())
                .isEqualTo(
                        outcome(second, refund(id), body, otherKey).expect(200).body());
        assertThat(stored.find(id).history().refunds()).hasSize(1);
    }

    @Test
    void aReplayedRefundShowsTheStateAtItsRequest() {
        String id = paid();
        String key = newKey();
        Answer first = made(refund(id), "{\"amount\":10}", key, id, 1).expect(200);
        RefundId refund = new RefundId(processor.awaitChange(id, 1).change().id());
        stored.append(id, new Entry.RefundMade(refund, false, Instant.now()));

        Answer second = merchant.post(refund(id), "{\"amount\":\"10.00\"}", key).expect(200);

        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(processor.changes(id)).hasSize(1);
    }

    /** Each costs a hundred times as much as a change of another transaction. */
    @Test
    void ofTheChangesOfTransactionsWithManyRefundsEightRunAtOnce() {
        String id = paid();
        for (int i = 0; i < 20; i++) {
            RefundId refund = new RefundId(UUID.randomUUID());
            Entry made = new Entry.RefundMade(refund, false, Instant.now());
            Entry requested =
                    new Entry.RefundRequested(refund, new Amount(1), Source.MERCHANT, null, null, made.at(), null);
            stored.append(id, requested, made);
        }
        made(refund(id), "{\"amount\":0.01}", newKey(), id, 1).expect(200);

        List<CompletableFuture<Answer>> answers = IntStream.range(0, 10)
                .mapToObj(i -> merchant.postAsync(refund(id), "{\"amount\":0.01}", newKey()))
                .toList();
        processor.awaitChange(id, 1 + 8);
        await().during(Duration.ofMillis(300)).until(() -> processor.changes(id).size() == 1 + 8);
        String other = pending();
        made(cancel(other), "", newKey(), other, 1).expect(200);

        IntStream.rangeClosed(2, 1 + answers.size()).forEach(count -> processor.make(id, count));
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().status()).isIn(200, 202));
    }

    @Test
    void aKeyBelongsToOneRequest() {
        String key = newKey();
        String id = paid();
        made(refund(id), "{\"amount\":10}", key, id, 1).expect(200);
        String created =
                merchant.post(CASHIN, merchant.cashin(), newKey()).expect(201).transactionId();

        assertReused(merchant.post(refund(id), "{\"amount\":11}", key), id);
        assertReused(merchant.post(refund(id), "{\"amount\":10,\"description\":\"x\"}", key), id);
        assertReused(merchant.post(cancel(id), "", key), id);
        assertReused(merchant.post(cancel(created), "", key), id);
        assertReused(merchant.post("/api/v1/sandbox/transaction/" + id + "/refund", "", key), id);
        assertThat(processor.changes(id)).hasSize(1);
        assertThat(processor.changes(created)).isEmpty();
    }

    /** Both requests passed the gateway's check before the processor saw one; it makes the first only. */
    @Test
    void ofTwoDifferentRequestsAtOnceWithOneKeyTheSecondIsRefused() {
        String id = paid();
        String key = newKey();
        CompletableFuture<Answer> first = merchant.postAsync(refund(id), "{\"amount\":10}", key);
        processor.awaitChange(id, 1);
        CompletableFuture<Answer> second = merchant.postAsync(refund(id), "{\"amount\":11}", key);
        processor.awaitChange(id, 2);
        processor.make(id, 1);

        outcome(first, refund(id), "{\"amount\":10}", key).expect(200);
        assertReused(outcome(second, refund(id), "{\"amount\":11}", key), id);
    }

    private static void assertReused(Answer answer, String holder) {
        assertThat(answer.expectProblem(422, "idempotency_key_reused").text("transaction_id"))
                .isEqualTo(holder);
    }
}
