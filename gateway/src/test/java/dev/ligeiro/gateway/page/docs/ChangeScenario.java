package dev.ligeiro.gateway.page.docs;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** All answers to cancel, refund and sandbox requests. */
final class ChangeScenario {

    private static final String REFUND = "refundTransaction";
    private static final Amount CENT = new Amount(1);

    private final Calls calls;
    private final PlayedProcessor processor;
    private final StoredData stored;

    ChangeScenario(Calls calls, PlayedProcessor processor, StoredData stored) {
        this.calls = calls;
        this.processor = processor;
        this.stored = stored;
    }

    void areMade() {
        calls.changes().forEach(change -> made(change.id(), "{}", changeable(change), 1));
        String id = paid();
        int count = 0;
        for (ObjectNode example : calls.examples(REFUND).values()) {
            made(REFUND, example, id, ++count);
        }
        calls.send("showTransaction", null, id).expect(200);
        calls.send("listRefunds", null, id).expect(200);
        String late = calls.pending();
        stored.move(late, Status.EXPIRED, Status.PAID);
        calls.send("showTransaction", null, late).expect(200);
        calls.send("listTransactions", null).expect(200);
    }

    /** At the same time, because each waits 2 s for the processor, which does not answer. */
    void areQueued() {
        Map<String, CompletableFuture<Answer>> answers = new LinkedHashMap<>();
        calls.changes()
                .forEach(change -> answers.put(
                        change.id(),
                        calls.merchantFor(change.id()).api().postAsync(change.path(changeable(change)), "{}")));
        answers.forEach((id, answer) -> calls.check(id, answer.join()).expect(202));
    }

    void areRefused() {
        String denied = calls.pending();
        stored.move(denied, Status.DENIED);
        String used = Calls.random();
        calls.sendWithKey("createCashin", calls.merchant().cashin(), used).expect(201);
        calls.changes().forEach(change -> {
            calls.send(change.id(), "{}", denied).expectProblem(409, "invalid_transition");
            calls.sendWithKey(change.id(), "{}", used, calls.pending()).expectProblem(422, "idempotency_key_reused");
        });
    }

    void aFrozenMerchantPaysNothing() {
        calls.send(REFUND, "{}", paid()).expectProblem(409, "merchant_frozen");
        calls.send("approveTransaction", null, waiting()).expectProblem(409, "merchant_frozen");
        calls.send("rejectTransaction", null, waiting()).expectProblem(409, "merchant_frozen");
    }

    void refundsAreRefused() {
        Instant old = Instant.now().minus(ChangeRules.REFUND_WINDOW).minusSeconds(60);
        String closed = calls.pending();
        stored.append(closed, Entry.StatusChanged.to(Status.PAID, old, Source.RAIL));
        calls.send(REFUND, "{}", closed).expectProblem(409, "refund_window_closed");

        String many = paid();
        Entry[] cents = Stream.generate(() -> requested(CENT, null))
                .limit(ChangeRules.REFUNDS_MAX)
                .toArray(Entry[]::new);
        stored.append(many, cents);
        calls.send(REFUND, "{}", many).expectProblem(409, "refund_limit_reached");

        String all = paid();
        Amount amount = Amount.of(calls.merchant().cashin().path("amount").decimalValue());
        stored.append(all, requested(amount, "return-1"));
        calls.send(REFUND, "{}", all).expectProblem(409, "refund_exceeds_amount");
        calls.send(REFUND, "{\"refund_reference\":\"return-1\",\"description\":\"x\"}", all)
                .expectProblem(409, "refund_reference_already_used");
        calls.send("sandboxRefund", null, all).expectProblem(409, "refund_exceeds_amount");
    }

    /** The answer to a change that the processor makes as number {@code count} of the transaction. */
    private void made(String operationId, Object body, String id, int count) {
        String path = calls.operation(operationId).path(id);
        String key = Calls.random();
        TestMerchant merchant = calls.merchantFor(operationId);
        CompletableFuture<Answer> answer = merchant.postAsync(path, body, key);
        processor.make(id, count);
        // on a busy machine the outcome may come after the 2 s for which the gateway waits
        if (calls.check(operationId, answer.join()).status() == 202) {
            calls.check(operationId, merchant.post(path, body, key)).expect(200);
        } else {
            answer.join().expect(200);
        }
    }

    /** A transaction that the change is possible for. */
    private String changeable(DocumentedOperation change) {
        if (change.path().endsWith("/approve") || change.path().endsWith("/reject")) {
            return waiting();
        }
        return change.path().endsWith("/refund") ? paid() : calls.pending();
    }

    /** A cashout that waits for approval. */
    private String waiting() {
        String id = calls.send("createCashout", calls.merchant().cashout())
                .expect(201)
                .transactionId();
        return processor.waiting(id);
    }

    private String paid() {
        String id = calls.pending();
        stored.move(id, Status.PAID);
        return id;
    }

    static Entry.RefundRequested requested(Amount amount, @Nullable String reference) {
        RefundId id = new RefundId(UUID.randomUUID());
        return new Entry.RefundRequested(id, amount, Source.RAIL, reference, null, Instant.now(), null);
    }
}
