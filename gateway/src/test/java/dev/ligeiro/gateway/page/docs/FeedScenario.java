package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** All answers to requests for the feed. The test numbers events, as the dispatcher does. */
final class FeedScenario {

    private final Calls calls;
    private final StoredData stored;

    FeedScenario(Calls calls, StoredData stored) {
        this.calls = calls;
        this.stored = stored;
    }

    /** A cashin that was paid late and a cashout, both with refunds, and one of each that was denied. */
    void hasEventsOfBothOperations() {
        String cursor = calls.send("readEvents", null).text("next_cursor");
        ObjectNode body = calls.merchant().cashin();
        body.putObject("fiscal").put("installment", "1/3");
        String cashin = calls.merchant().created(body);
        stored.move(cashin, Status.EXPIRED, Status.PAID);
        String cashout = calls.send("createCashout", calls.merchant().cashout())
                .expect(201)
                .transactionId();
        stored.move(cashout, Status.IN_PROCESS, Status.PAID);
        for (String id : List.of(cashin, cashout)) {
            refund(id);
            calls.send("showTransaction", null, id).expect(200);
        }
        number(cursor, cashin, 1, 1);
        number(cursor, cashin, 4, 2);
        number(cursor, cashout, 1, 3);
        number(cursor, cashout, 4, 4);
        List<String> denied = List.of(
                calls.pending(),
                calls.send("createCashout", calls.merchant().cashout())
                        .expect(201)
                        .transactionId());
        for (int i = 0; i < denied.size(); i++) {
            stored.append(
                    denied.get(i),
                    new Entry.StatusChanged(Status.DENIED, Instant.now(), Source.RAIL, "rejected_by_rail", null, null));
            calls.send("showTransaction", null, denied.get(i)).expect(200);
            number(cursor, denied.get(i), 2, 5 + i);
        }
        stored.append(
                cashin,
                new Entry.DisputeOpened(
                        UUID.randomUUID(),
                        new Amount(100),
                        "claimed",
                        "golpe",
                        Instant.now(),
                        Instant.now(),
                        "I1",
                        "1313",
                        Instant.now()));
        number(cursor, cashin, 5, 7);
        number(cursor, paidByAnother(), 3, 8);
        Answer page = calls.send("readEvents", null).expect(200);
        assertThat(page.json().path("events")).hasSize(8);
        assertThat(page.json().at("/events/7/data/payer/document").stringValue())
                .isEqualTo("***.444.777-**");
        assertThat(page.json().at("/events/6/data/dispute/amount").stringValue())
                .isEqualTo("1.00");
        assertThat(page.json().at("/events/5/data/denial_reason").stringValue()).isEqualTo("rejected_by_rail");

        number(cursor, cashin, 1, 10);
        number(cursor, cashin, 4, 11);
        calls.check("readEvents", calls.merchant().api().get("/api/v1/events?after=" + cursor))
                .expectProblem(410, "cursor_expired");
    }

    /** A cashin that another has paid, of which the rail has moved a part back; the rest is refunded. */
    private String paidByAnother() {
        String id = calls.pending();
        Transaction cashin = Transactions.like(stored.find(id))
                .payerRules(new PayerRules(true, true, true))
                .accepted(true)
                .build();
        Instant now = Instant.now();
        Settlement payment =
                new Settlement(cashin.endToEndId(), now, Payer.of("João Souza", "11144477735", "99999004"));
        RefundId byRail = RefundId.ofRail("D1");
        stored.replace(cashin.with(
                new Entry.StatusChanged(Status.PAID, now, Source.RAIL, null, payment, null),
                new Entry.PayerMismatch(now),
                Entry.RefundRequested.byRail(byRail, new Amount(1), RailReturn.of("MED_FRAUDE", "D1"), now),
                new Entry.RefundMade(byRail, false, now),
                Entry.RefundRequested.bySystem(
                        RefundId.ofPayerMismatch(cashin.id()), new Amount(1), Entry.PayerMismatch.REASON, now)));
        calls.send("showTransaction", null, id).expect(200);
        return id;
    }

    private void refund(String id) {
        Entry.RefundRequested requested = ChangeScenario.requested(new Amount(1), "return");
        stored.append(id, requested, new Entry.RefundMade(requested.refund(), false, Instant.now()));
    }

    private void number(String cursor, String transactionId, int sequence, long number) {
        stored.number(cursor, new EventId(TransactionId.parse(transactionId).orElseThrow(), sequence), number);
    }
}
