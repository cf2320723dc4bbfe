package dev.ligeiro.gateway.api.change;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Cancel and refund. A test plays the processor. */
@ExtendWith(SharedGateway.class)
class ChangeIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final PlayedProcessor processor;

    ChangeIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.processor = new PlayedProcessor(gateway);
    }

    @AfterEach
    void close() {
        processor.close();
    }

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
        processor.stored().move(id, Status.PAID);
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
        assertThat(first.after()).isGreaterThanOrEqualTo(AwaitOutcome.OUTCOME_MAX);
        return merchant.post(path, body, key);
    }

    @Test
    void aCancelWaitsForTheProcessor() {
        String id = pending();

        JsonNode canceled = made(cancel(id), "", newKey(), id, 1).expect(200).transaction();
        assertThat(canceled.path("status").stringValue()).isEqualTo("canceled");
        assertThat(processor.awaitChange(id, 1).action()).isEqualTo(new ChangeAction.Cancel());
    }

    @Test
    void withoutAProcessorTheResponseIsAccepted() {
        String id = pending();

        Answer accepted = merchant.api().postNothing(cancel(id)).expect(202);

        assertThat(accepted.transaction().path("status").stringValue()).isEqualTo("pending");
        assertThat(processor.awaitChange(id, 1).transactionId()).hasToString(id);
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
        processor.stored().move(id, status);

        Answer refused = merchant.api().postNothing(cancel(id)).expectProblem(409, "invalid_transition");

        assertThat(refused.text("from")).isEqualTo(status.code());
        assertThat(refused.text("to")).isEqualTo("canceled");
        assertThat(refused.json().path("allowed").toString()).isEqualTo(allowed.replace("refund", "\"refund\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "refund"})
    void anotherMerchantsTransactionIsNotFound(String action) {
        String id = paid();

        for (String unknown : new String[] {id, "x", UUID.randomUUID().toString()}) {
            gateway.newMerchant()
                    .api()
                    .post(ONE + unknown + "/" + action, "{}")
                    .expectProblem(404, "transaction_not_found");
        }
        gateway.api().post(ONE + id + "/" + action, "{}").expectProblem(401, "unauthorized");
        assertThat(processor.changes(id)).isEmpty();
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"amount\":0}                      | amount:invalid",
                "{\"amount\":\"0.00\"}               | amount:invalid",
                "{\"amount\":-1}                     | amount:invalid",
                "{\"amount\":10.001}                 | amount:invalid",
                "{\"amount\":\"10.001\"}             | amount:invalid",
                "{\"amount\":10000000000}            | amount:invalid",
                "{\"refund_reference\":[\"\"]}       | refund_reference:wrong_type",
                "{\"refund_reference\":\"a\\u0001\"} | refund_reference:invalid",
                "{\"description\":[]}                | description:wrong_type",
            })
    void aWrongFieldIsNamed(String body, String error) {
        String id = paid();

        assertThat(merchant.api()
                        .post(refund(id), body)
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly(error);
        assertThat(processor.changes(id)).isEmpty();
    }

    @Test
    void aRefundNeedsABody() {
        String id = paid();

        merchant.api().postNothing(refund(id)).expectProblem(415, "unsupported_media_type");
        merchant.api().post(refund(id), "").expectProblem(400, "malformed_request");
    }

    @Test
    void moreThanIsLeftIsRefused() {
        String id = paid();
        made(refund(id), "{\"amount\":100}", newKey(), id, 1).expect(200);

        Answer refused =
                merchant.api().post(refund(id), "{\"amount\":50.76}").expectProblem(409, "refund_exceeds_amount");
        assertThat(refused.text("refundable_amount")).isEqualTo("50.75");

        made(
                        refund(id),
                        "{\"amount\":null,\"refund_reference\":\"\",\"description\":\" \",\"other\":1}",
                        newKey(),
                        id,
                        2)
                .expect(200);
        assertThat(processor.awaitChange(id, 2).action()).isEqualTo(new ChangeAction.Refund(null, null, null));
        assertThat(merchant.api()
                        .post(refund(id), "{}")
                        .expectProblem(409, "refund_exceeds_amount")
                        .text("refundable_amount"))
                .isEqualTo("0.00");
    }

    @Test
    void aPendingTransactionCannotBeRefunded() {
        String id = pending();

        Answer refused = merchant.api().post(refund(id), "{}").expectProblem(409, "invalid_transition");

        assertThat(refused.text("from")).isEqualTo("pending");
        assertThat(refused.text("to")).isEqualTo("refund");
        assertThat(processor.changes(id)).isEmpty();
    }

    @Test
    void aCashoutCannotBeRefunded() {
        String id = merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId();
        processor.stored().move(id, Status.IN_PROCESS, Status.PAID);

        Answer refused = merchant.api().post(refund(id), "{}").expectProblem(409, "invalid_transition");
        assertThat(refused.text("detail")).isEqualTo("A cashout that is paid cannot become refund by this request");
        assertThat(refused.json().path("allowed")).isEmpty();
    }

    @Test
    void anOldPaymentCannotBeRefunded() {
        String id = pending();
        Instant old = Instant.now().minus(ChangeRules.REFUND_WINDOW).minusSeconds(60);
        processor.stored().append(id, Entry.StatusChanged.to(Status.PAID, old, Source.RAIL));

        merchant.api().post(refund(id), "{}").expectProblem(409, "refund_window_closed");
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
        assertThat(processor.stored().find(id).history().refunds()).hasSize(1);
    }

    @Test
    void aReplayedRefundShowsTheStateAtItsRequest() {
        String id = paid();
        String key = newKey();
        Answer first = made(refund(id), "{\"amount\":10}", key, id, 1).expect(200);
        RefundId refund = new RefundId(processor.awaitChange(id, 1).change().id());
        processor.stored().append(id, new Entry.RefundMade(refund, false, Instant.now()));

        Answer second = merchant.post(refund(id), "{\"amount\":\"10.00\"}", key).expect(200);

        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(processor.changes(id)).hasSize(1);
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

    @ParameterizedTest
    @CsvSource({
        "INVALID_TRANSITION,            409",
        "REFUND_EXCEEDS_AMOUNT,         409",
        "REFUND_REFERENCE_ALREADY_USED, 409",
        "IDEMPOTENCY_KEY_REUSED,        422",
    })
    void aRefusalByTheProcessorIsItsProblem(ChangeRefusal refusal, int status) {
        String id = paid();
        CompletableFuture<Answer> answer = merchant.api().postAsync(refund(id), "{}");
        processor.refuse(id, 1, refusal);

        answer.join().expectProblem(status, refusal.code());
    }

    /** The create's tests have the keys that this client refuses to send. */
    @ParameterizedTest
    @CsvSource({
        "/api/v1/transaction/%s/cancel",
        "/api/v1/transaction/%s/refund",
        "/api/v1/sandbox/transaction/%s/refund",
    })
    void aWrongKeyIsAFieldError(String path) {
        String id = paid();

        assertThat(wrongKey(path.formatted(id), "k".repeat(256))).containsExactly("Idempotency-Key:too_long");
        assertThat(wrongKey(path.formatted(id), "a\tb")).containsExactly("Idempotency-Key:invalid");
        assertThat(wrongKey(path.formatted(id), "a", "b")).containsExactly("Idempotency-Key:invalid");
        assertThat(processor.changes(id)).isEmpty();
    }

    private List<String> wrongKey(String path, String... keys) {
        HttpRequest.Builder request = merchant.api().json("POST", path, "{}");
        Stream.of(keys).forEach(key -> request.header("Idempotency-Key", key));
        return Api.send(request).expectProblem(422, "validation_failed").fieldErrors();
    }

    private static void assertReused(Answer answer, String holder) {
        assertThat(answer.expectProblem(422, "idempotency_key_reused").text("transaction_id"))
                .isEqualTo(holder);
    }
}
