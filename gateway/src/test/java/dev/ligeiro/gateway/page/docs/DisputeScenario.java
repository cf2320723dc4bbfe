package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Status;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Disputes as processors store them, and all answers to a defence. */
final class DisputeScenario {

    private static final String DEFEND = "defendDispute";
    private static final String DEFENSE = "{\"text\":\"It was delivered\"}";

    private final Calls calls;
    private final PlayedProcessor processor;
    private final StoredData stored;

    DisputeScenario(Calls calls, PlayedProcessor processor, StoredData stored) {
        this.calls = calls;
        this.processor = processor;
        this.stored = stored;
    }

    /** A new dispute of a new payment. */
    String opened() {
        return opened(Instant.now().plusSeconds(3600)).toString();
    }

    private UUID opened(Instant deadline) {
        String id = calls.pending();
        stored.move(id, Status.PAID);
        return stored.disputed(id, deadline);
    }

    void areListed() {
        String first = opened();
        String second = opened();
        Answer all = calls.send("listDisputes", null).expect(200);
        assertThat(all.json().at("/disputes/0/id").stringValue()).isEqualTo(second);
        assertThat(all.json().at("/disputes/1/id").stringValue()).isEqualTo(first);
        String transaction = all.json().at("/disputes/0/transaction_id").stringValue();
        Answer own = calls.check(
                "listDisputes",
                calls.merchant().api().get("/api/v1/disputes?status=open&transaction_id=" + transaction));
        assertThat(own.expect(200).json().path("disputes")).hasSize(1);
        assertThat(calls.send("showDispute", null, second).expect(200).text("status"))
                .isEqualTo("open");
    }

    void areDefended() {
        String id = opened();
        String key = Calls.random();
        CompletableFuture<Answer> answer =
                calls.merchant().postAsync(calls.operation(DEFEND).path(id), DEFENSE, key);
        String transaction = calls.send("showDispute", null, id).expect(200).text("transaction_id");
        TransactionCommand.Change change = processor.awaitChange(transaction, 1);
        ChangeAction.Defense asked = (ChangeAction.Defense) change.action();
        stored.append(
                transaction, new Entry.DefenseRequested(asked.dispute(), asked.text(), change.change(), Instant.now()));
        calls.check(DEFEND, answer.join()).expect(202);
        assertThat(calls.sendWithKey(DEFEND, DEFENSE, key, id).expect(202).header("Idempotent-Replayed"))
                .isEmpty();
        calls.send(DEFEND, DEFENSE, id).expectProblem(409, "already_defended");
        calls.sendWithKey(DEFEND, "{\"text\":\"another\"}", key, id).expectProblem(422, "idempotency_key_reused");
        stored.append(
                transaction,
                new Entry.DisputeUpdated(
                        asked.dispute(),
                        Dispute.Status.DEFENDED,
                        null,
                        change.change().id(),
                        Instant.now()));
        assertThat(calls.sendWithKey(DEFEND, DEFENSE, key, id).expect(200).header("Idempotent-Replayed"))
                .isEqualTo("true");
        calls.send("showHistory", null, transaction).expect(200);
    }

    void areNotDefended() {
        calls.send(DEFEND, DEFENSE, opened(Instant.now().minusSeconds(60)).toString())
                .expectProblem(409, "defense_too_late");
        UUID closed = opened(Instant.now().plusSeconds(3600));
        String transaction = calls.send("showDispute", null, closed.toString()).text("transaction_id");
        stored.append(transaction, new Entry.DisputeClosed(closed, Dispute.Status.WON, Instant.now()));
        calls.send(DEFEND, DEFENSE, closed.toString()).expectProblem(409, "dispute_closed");
        // with the fault, one that was just opened was called closed, and its merchant gave up
        Dispute unknown = stored.claimed(transaction, Instant.now().plusSeconds(3600));
        assertThat(calls.send(DEFEND, DEFENSE, unknown.id().toString())
                        .expect(503)
                        .header("Retry-After"))
                .isEqualTo("10");

        String refused = opened();
        String of = calls.send("showDispute", null, refused).text("transaction_id");
        CompletableFuture<Answer> answer =
                calls.merchant().postAsync(calls.operation(DEFEND).path(refused), DEFENSE, Calls.random());
        processor.refuse(of, 1, ChangeRefusal.DEFENSE_REJECTED);
        Answer answered = answer.join();
        if (answered.status() != 202) {
            calls.check(DEFEND, answered).expectProblem(409, "defense_rejected");
        }
        assertThat(calls.send(DEFEND, "{\"text\":\"a\",\"files\":[]}", refused)
                        .expect(422)
                        .fieldErrors())
                .anyMatch(error -> error.startsWith("files:"));
    }
}
