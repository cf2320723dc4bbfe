package dev.ligeiro.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionEventTest {

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    @Property
    void isTheSameWhenItIsSentAgainLater(@ForAll("lives") List<Transaction> life) {
        Transaction latest = life.get(life.size() - 1);
        for (Transaction then : life) {
            for (int sequence = 1; sequence <= then.history().sequence(); sequence++) {
                assertThat(TransactionEvent.of(latest, sequence)).isEqualTo(TransactionEvent.of(then, sequence));
            }
        }
    }

    @Property
    void announcesEachEntryThatHasAnEventOnce(@ForAll("lives") List<Transaction> life) {
        Transaction latest = life.get(life.size() - 1);
        List<Entry> announced =
                latest.history().entries().stream().filter(Entry::announced).toList();

        for (int sequence = 1; sequence <= announced.size(); sequence++) {
            Entry entry = announced.get(sequence - 1);
            TransactionEvent event = TransactionEvent.of(latest, sequence);

            assertThat(event.id()).isEqualTo(new EventId(latest.id(), sequence));
            assertThat(event.type()).isEqualTo(EventType.of(entry));
            assertThat(event.at()).isEqualTo(entry.at());
        }
        assertThat(latest.history().sequence()).isEqualTo(announced.size());
    }

    @Property
    void carriesTheStateRightAfterItsEntry(@ForAll("lives") List<Transaction> life) {
        Transaction latest = life.get(life.size() - 1);
        for (Transaction then : life) {
            List<Entry> entries = then.history().entries();
            if (entries.get(entries.size() - 1).announced()) {
                TransactionSnapshot announced =
                        TransactionEvent.of(latest, then.history().sequence()).transaction();
                TransactionSnapshot shown = then.snapshot();

                assertThat(announced.terms()).isEqualTo(then.terms());
                assertThat(announced.statuses()).isEqualTo(shown.statuses());
                assertThat(announced.endToEndId()).isEqualTo(then.endToEndId());
                assertThat(announced.refunds().refunded())
                        .isEqualTo(shown.refunds().refunded());
                assertThat(announced.refunds().count())
                        .isEqualTo(shown.refunds().count());
            }
        }
    }

    @Test
    void aPaymentByAnotherIsAnnouncedByItselfAfterThePayment() {
        Transaction paid = Transactions.goldenCashin()
                .moveTo(Status.PAID, Transactions.CREATED_AT, Source.RAIL)
                .with(
                        new Entry.PayerMismatch(Transactions.CREATED_AT),
                        Entry.RefundRequested.bySystem(
                                Transactions.REFUND, new Amount(15075), "payer_mismatch", Transactions.CREATED_AT))
                .with(new Entry.RefundMade(Transactions.REFUND, true, Transactions.CREATED_AT.plusSeconds(9)));

        assertThat(IntStream.rangeClosed(1, paid.history().sequence())
                        .mapToObj(sequence -> TransactionEvent.of(paid, sequence))
                        .toList())
                .extracting(
                        event -> event.type().code(),
                        event -> event.transaction().payerMismatch(),
                        event -> event.transaction().refunds().count())
                .containsExactly(
                        tuple("transaction.created", null, 0),
                        tuple("transaction.paid", null, 0),
                        tuple("transaction.payer_mismatch", true, 0),
                        tuple("transaction.refund", true, 1));
    }

    @Test
    void ofTheRefundsItShowsOnlyTheOneThatItIsAbout() {
        Transaction paid = Transactions.partlyRefundedCashin();
        List<List<Refund.State>> shown = IntStream.rangeClosed(1, 4)
                .mapToObj(sequence -> TransactionEvent.of(paid, sequence).transaction().refunds().shown().stream()
                        .map(Refund::state)
                        .toList())
                .toList();

        assertThat(shown)
                .containsExactly(List.of(), List.of(), List.of(Refund.State.REFUNDED), List.of(Refund.State.FAILED));
    }

    @ParameterizedTest(name = "event {0} is {1}, {2} after {3}")
    @CsvSource({
        // sequence, type, status, previous status
        "1, transaction.created,            PENDING, ",
        "2, transaction.paid,               PAID,    PENDING",
        "3, transaction.refunded_partially, PAID,    PAID",
        "4, transaction.refund_failed,      PAID,    PAID",
        "5, transaction.refund,             REFUND,  PAID",
    })
    void theTypeFollowsFromTheEntryAndNotFromTheStatus(
            int sequence, String type, Status status, @Nullable Status previous) {
        Transaction paid = Transactions.partlyRefundedCashin();
        Instant at = Transactions.CREATED_AT.plusSeconds(20_000);
        RefundId rest = RefundId.at(at);
        Transaction refunded = paid.with(
                        new Entry.RefundRequested(rest, new Amount(10075), Source.MERCHANT, null, null, at, null))
                .with(new Entry.RefundMade(rest, true, at));

        TransactionEvent event = TransactionEvent.of(refunded, sequence);

        assertThat(event.type().code()).isEqualTo(type);
        assertThat(event.transaction().status()).isEqualTo(status);
        assertThat(event.previousStatus()).isEqualTo(previous);
    }

    @ParameterizedTest(name = "{0} is announced as {1}")
    @CsvSource({
        "PENDING, transaction.created",
        "PAID, transaction.paid",
        "DENIED, transaction.denied",
        "CANCELED, transaction.canceled",
        "REFUND, transaction.refund",
        "IN_PROCESS, transaction.in_process",
        "IN_ANALYSIS, transaction.in_analysis",
        "EXPIRED, transaction.expired",
    })
    void everyStatusHasItsEventType(Status status, String code) {
        EventType type = EventType.of(Entry.StatusChanged.to(status, Transactions.CREATED_AT, Source.RAIL));

        assertThat(type.code()).isEqualTo(code);
        assertThat(Codes.find(EventType.class, code)).contains(type);
    }

    @Test
    void anEntryWithoutAnEventHasNoType() {
        Instant at = Transactions.CREATED_AT;

        assertThatThrownBy(() -> EventType.of(new Entry.RefundRequested(
                        Transactions.REFUND, new Amount(1), Source.MERCHANT, null, null, at, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("RefundRequested (expected: an announced entry)");
        assertThatThrownBy(
                        () -> EventType.of(new Entry.ChangeRefused(Transactions.ID.value(), "invalid_transition", at)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ChangeRefused (expected: an announced entry)");
    }

    @Test
    void theDefaultSubscriptionIsEveryStatusChange() {
        assertThat(EventType.STATUS_CHANGES)
                .containsExactly(
                        EventType.PAID,
                        EventType.DENIED,
                        EventType.CANCELED,
                        EventType.REFUND,
                        EventType.IN_PROCESS,
                        EventType.IN_ANALYSIS,
                        EventType.EXPIRED);
    }
}
