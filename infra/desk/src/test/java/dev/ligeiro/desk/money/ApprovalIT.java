package dev.ligeiro.desk.money;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.PlayedProcessor;
import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Origin;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.QueuedChange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction.Approval;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Operators approve and reject cashouts. A test plays the processor. */
@ExtendWith(SharedDesk.class)
class ApprovalIT {

    private static final Map<String, String> REASON = Map.of("reason", "a supplier of ours");

    private final RunningDesk desk;
    private final Api admin;
    private final Stored stored;
    private final PlayedProcessor processor;
    private final String merchant;
    private final Tenant tenant;

    ApprovalIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.stored = Stored.of(desk, "Loja");
        this.processor = new PlayedProcessor(stored);
        this.merchant = stored.merchantId().toString();
        this.tenant = stored.tenant(Mode.TEST);
    }

    @AfterEach
    void close() {
        processor.close();
    }

    private TransactionId waiting() {
        return stored.waiting(cashout()).id();
    }

    private Transaction cashout() {
        return Transactions.like(Transactions.cashout(new Amount(10_000)))
                .tenant(tenant)
                .build();
    }

    private static String path(Object id, String verb) {
        return "/admin/transactions/" + id + "/" + verb;
    }

    private Answer made(TransactionId id, String verb) {
        CompletableFuture<Answer> answer = admin.postAsync(path(id, verb), REASON);
        processor.make(id);
        return answer.join();
    }

    @Test
    void anApprovalIsACommandWithTheOperatorsReason() {
        TransactionId id = waiting();
        admin.post(path(id, "approve"), Map.of()).expectProblem(422, "validation_failed");
        admin.post(path(id, "approve"), Map.of("reason", "x".repeat(256))).expectProblem(422, "validation_failed");

        Answer approved = made(id, "approve").expect(200);

        assertThat(approved.json().toString())
                .isEqualTo("{\"id\":\"" + id + "\",\"status\":\"in_process\",\"denial_reason\":null}");
        assertThat(processor.awaitChange(id).action())
                .isEqualTo(new Approval(true, Source.OPERATOR, "a supplier of ours"));
        assertThat(processor.awaitChange(id).tenant()).isEqualTo(tenant);
        assertThat(processor.header(id, Origin.REQUEST_ID)).contains(approved.header("X-Request-Id"));
        Answer again = admin.post(path(id, "reject"), REASON).expectProblem(409, "invalid_transition");
        assertThat(again.text("from")).isEqualTo("in_process");
        assertThat(again.json().path("allowed").toString()).contains("paid");
        assertThat(processor.records(id)).hasSize(1);
        assertThat(admin.get("/admin/audit?merchant=" + merchant).expect(200).body())
                .contains("/approve", "a supplier of ours");
    }

    @Test
    void aRejectionIsADenialWithItsReason() {
        TransactionId id = waiting();

        Answer rejected = made(id, "reject").expect(200);

        assertThat(rejected.text("status")).isEqualTo("denied");
        assertThat(rejected.text("denial_reason")).isEqualTo("not_approved");
    }

    /** With the fault, the answer was 500: Spring's template has an exception of its own for a record that it cannot send. */
    @Test
    void aChangeThatKafkaDoesNotTakeIsRefusedForNow() {
        try (RunningDesk away = RunningDesk.start(
                "spring.kafka.bootstrap-servers=127.0.0.1:1", "spring.kafka.producer.properties.max.block.ms=100")) {
            TransactionId id = Stored.of(away).waiting(cashout()).id();

            Answer refused = away.admin().post(path(id, "approve"), REASON).expectProblem(503, "unavailable");

            assertThat(refused.header("Retry-After")).isNotEmpty();
        }
    }

    /** Kafka could lose its record: gateways look for these documents. */
    @Test
    void aChangeWithoutAnOutcomeInTimeIsKeptToBeSentAgain() {
        TransactionId id = waiting();

        Answer queued = admin.post(path(id, "approve"), REASON).expect(202);

        assertThat(queued.text("status")).isEqualTo("in_analysis");
        assertThat(desk.mongo()
                        .getCollection(CollectionNames.QUEUED_CHANGES)
                        .find()
                        .map(QueuedChange::of))
                .filteredOn(change -> change.command() != null
                        && change.command().transactionId().equals(id))
                .singleElement()
                .satisfies(change -> assertThat(change.command()).isEqualTo(processor.awaitChange(id)));
    }

    @ParameterizedTest
    @CsvSource({"MERCHANT_FROZEN, 409, merchant_frozen, ", "UNAVAILABLE, 503, unavailable, 60"})
    void whatTheProcessorRefusesGoesOnWaiting(ChangeRefusal refusal, int status, String code, String retryAfter) {
        TransactionId id = waiting();

        CompletableFuture<Answer> answer = admin.postAsync(path(id, "approve"), REASON);
        processor.refuse(id, refusal);

        Answer refused = answer.join().expectProblem(status, code);
        assertThat(refused.headers().firstValue("Retry-After").orElse(null)).isEqualTo(retryAfter);
        assertThat(stored.find(id).approvalSince()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"approve", "reject"})
    void onlyACashoutThatWaitsCanBeDecided(String verb) {
        TransactionId analysed = stored.insert(
                        cashout().accept().moveTo(Status.IN_ANALYSIS, Instant.now(), Source.RAIL))
                .id();

        admin.post(path(analysed, verb), REASON).expectProblem(409, "invalid_transition");
        admin.post(path(UUID.randomUUID(), verb), REASON).expectProblem(404, "transaction_not_found");
        admin.post(path("7", verb), REASON).expectProblem(404, "transaction_not_found");
        for (String token : Set.of(RunningDesk.READER_TOKEN, RunningDesk.OPERATOR_TOKEN)) {
            admin.withToken(token).post(path(waiting(), verb), REASON).expectProblem(403, "insufficient_role");
        }
    }

    @Test
    void ofAFrozenMerchantCashoutsCanOnlyBeRejected() {
        TransactionId id = waiting();
        admin.post("/admin/merchants/" + merchant + "/freeze", Map.of("reason", "a stolen key"))
                .expect(200);

        admin.post(path(id, "approve"), REASON).expectProblem(409, "merchant_frozen");
        made(id, "reject").expect(200);

        assertThat(stored.find(id).history().denialReason()).isEqualTo("not_approved");
    }

    @Test
    void whatWaitsIsListedTheOldestFirstWithoutPersonalData() {
        List<TransactionId> ids = IntStream.range(0, 3).mapToObj(i -> waiting()).toList();

        List<JsonNode> ours = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = admin.get("/admin/approvals" + (next.isEmpty() ? "" : "?after=" + next))
                    .expect(200)
                    .json();
            page.path("approvals").forEach(item -> {
                if (item.path("merchant_id").asString("").equals(merchant)) {
                    ours.add(item);
                }
            });
            next = page.path("next_cursor").asString("");
        } while (!next.isEmpty());

        assertThat(ours)
                .extracting(item -> item.path("id").stringValue())
                .containsExactlyElementsOf(
                        ids.stream().map(TransactionId::toString).toList());
        assertThat(ours.get(0).path("mode").stringValue()).isEqualTo("test");
        assertThat(ours.get(0).path("amount").stringValue()).isEqualTo("100.00");
        assertThat(ours.get(0).propertyNames())
                .containsExactly(
                        "id",
                        "merchant_id",
                        "merchant_number",
                        "merchant_name",
                        "mode",
                        "operation",
                        "status",
                        "amount",
                        "e2e_id",
                        "created_at",
                        "rail",
                        "since",
                        "age_seconds");
        admin.get("/admin/approvals?page=1").expectProblem(422, "validation_failed");
    }
}
