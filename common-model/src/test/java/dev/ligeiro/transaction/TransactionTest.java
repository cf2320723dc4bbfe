package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Transition.InvalidTransition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionTest {

    private static final Instant AT = Transactions.CREATED_AT.plusSeconds(60);

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    @Property
    void everyChangeRaisesTheVersionAndKeepsTermsAndEarlierEntries(@ForAll("lives") List<Transaction> life) {
        for (int i = 1; i < life.size(); i++) {
            Transaction before = life.get(i - 1);
            Transaction after = life.get(i);

            assertThat(after.version()).isGreaterThan(before.version());
            assertThat(after.history().entries())
                    .startsWith(before.history().entries().toArray(Entry[]::new));
            assertThat(after)
                    .usingRecursiveComparison()
                    .ignoringFields("version", "history", "railCalls")
                    .isEqualTo(before);
        }
    }

    @Property
    void finishedIsTheStartOfAFinishedStatus(@ForAll("lives") List<Transaction> life) {
        for (Transaction transaction : life) {
            assertThat(transaction.finishedAt())
                    .isEqualTo(
                            transaction.status().isFinished()
                                    ? transaction
                                            .history()
                                            .lastAt(transaction.status())
                                            .orElseThrow()
                                    : null);
        }
    }

    @Test
    void aNewTransactionIsPendingAndNotAccepted() {
        Transaction cashin = Transactions.goldenCashin();

        Transaction created =
                Transaction.create(cashin.id(), cashin.tenant(), Operation.CASHIN, cashin.terms(), "key-1", null);

        assertThat(created.status()).isEqualTo(Status.PENDING);
        assertThat(created.version()).isEqualTo(1);
        assertThat(created.accepted()).isFalse();
        assertThat(created.railCalls()).isEmpty();
        assertThat(created.history().entries())
                .containsExactly(new Entry.StatusChanged(
                        Status.PENDING,
                        Transactions.CREATED_AT,
                        Source.MERCHANT,
                        null,
                        null,
                        new ChangeRef(Transactions.ID.value(), "key-1")));
    }

    @Test
    void severalEntriesAreOneChange() {
        Transaction paid = Transactions.goldenCashin().moveTo(Status.PAID, AT, Source.RAIL);

        Transaction refunded = paid.with(
                new Entry.RefundRequested(
                        Transactions.REFUND, new Amount(15075), Source.RAIL, null, null, AT.plusSeconds(1), null),
                new Entry.RefundMade(Transactions.REFUND, true, AT.plusSeconds(2)));

        assertThat(refunded.status()).isEqualTo(Status.REFUND);
        assertThat(refunded.version()).isEqualTo(paid.version() + 1);
        assertThat(refunded.finishedAt()).isEqualTo(AT.plusSeconds(2));
    }

    @Test
    void theMoveOfEachEntryIsCheckedAndAForbiddenOneNamesTheAllowed() {
        Transaction pending = Transactions.goldenCashin();

        assertThatThrownBy(() -> pending.with(
                        Entry.StatusChanged.to(Status.PAID, AT, Source.RAIL),
                        Entry.StatusChanged.to(Status.EXPIRED, AT, Source.SYSTEM)))
                .isInstanceOf(InvalidTransition.class)
                .hasMessage("status: paid to expired (expected one of: [refund])");
        assertThatThrownBy(() -> pending.with(new Entry.RefundMade(Transactions.REFUND, true, AT)))
                .isInstanceOf(InvalidTransition.class)
                .hasMessage("status: pending to refund"
                        + " (expected one of: [paid, denied, canceled, in_analysis, expired])");
    }

    @Test
    void aCallReplacesTheOneForTheSameRefundOrTransaction() {
        RailCall own = RailCall.first(null, AT, AT.plusSeconds(30));
        RailCall ofRefund = RailCall.first(Transactions.REFUND, AT, AT.plusSeconds(20));
        Transaction calling = Transactions.goldenCashin().with(own).with(ofRefund);

        Transaction later = calling.with(own.waitingUntil(AT.plusSeconds(60)));

        assertThat(calling.version()).isEqualTo(3);
        assertThat(calling.accepted()).isTrue();
        assertThat(later.railCall(null)).contains(own.waitingUntil(AT.plusSeconds(60)));
        assertThat(later.railCall(Transactions.REFUND)).contains(ofRefund);
        assertThat(later.railCalls()).hasSize(2);
        assertThat(later.version()).isEqualTo(4);
    }

    @Test
    void onlyTheClosedCallIsRemoved() {
        RailCall own = RailCall.first(null, AT, AT.plusSeconds(30));
        RailCall ofRefund = RailCall.first(Transactions.REFUND, AT, AT.plusSeconds(20));
        Transaction calling = Transactions.goldenCashin().with(own).with(ofRefund);

        assertThat(calling.closeCall(null).railCalls()).containsExactly(ofRefund);
        assertThat(calling.closeCall(Transactions.REFUND).railCalls()).containsExactly(own);
        assertThat(calling.closeCall(null).version()).isEqualTo(calling.version() + 1);
        assertThat(calling.closeCall(Transactions.FAILED_REFUND)).isSameAs(calling);
    }

    @ParameterizedTest(name = "{0} with calls due at [{1}] s: due at {2} s")
    @CsvSource({
        // the golden transactions expire 86400 s after their creation
        "PENDING,     '',                    86400",
        "PENDING,     own:30,                30",
        "PENDING,     own:86401,             86401", // it does not expire while its rail is asked
        "IN_ANALYSIS, '',                    ",
        "IN_ANALYSIS, own:30,                30",
        "IN_PROCESS,  own:30,                30",
        "PAID,        '',                    ",
        "PAID,        refund:86401,          86401",
        "PAID,        'refund:90 refund:60 own:120', 60",
        "EXPIRED,     '',                    ",
        "DENIED,      '',                    ",
    })
    void isDueAtItsExpiryWhilePendingElseAtTheFirstOfItsCalls(Status status, String calls, Long seconds) {
        List<RailCall> railCalls = new ArrayList<>();
        for (String call : calls.isEmpty() ? new String[0] : calls.split(" ")) {
            RefundId refund = call.startsWith("refund:") ? RefundId.at(AT) : null;
            long due = Long.parseLong(call.substring(call.indexOf(':') + 1));
            railCalls.add(RailCall.first(refund, AT, Transactions.CREATED_AT.plusSeconds(due)));
        }
        Transaction transaction = Transactions.like(Transactions.goldenCashin())
                .status(status)
                .railCalls(railCalls)
                .build();

        assertThat(transaction.dueAt())
                .isEqualTo(seconds == null ? null : Transactions.CREATED_AT.plusSeconds(seconds));
    }

    @Test
    void isUnsettledSinceItsStatusBeganHoweverOftenItWasSubmitted() {
        Instant later = AT.plusSeconds(3_600);
        Transaction cashout = Transactions.goldenCashout()
                .moveTo(Status.IN_PROCESS, AT, Source.SYSTEM)
                .with(RailCall.first(null, AT, later).takenOver(later, later));

        assertThat(cashout.unsettledSince()).isEqualTo(AT);
        assertThat(cashout.moveTo(Status.PAID, later, Source.RAIL)
                        .closeCall(null)
                        .unsettledSince())
                .isNull();
    }

    @ParameterizedTest(name = "{0} of 60 s after the creation, asked at {1} s: unsettled since {2} s")
    @CsvSource({
        "PENDING,     90,    0",
        "PENDING,     86400, 86400", // the question at the expiry
        "IN_ANALYSIS, 90,    60",
        "PAID,        90,    90",
        "EXPIRED,     90000, 90000",
    })
    void isUnsettledSinceTheQuestionAtTheExpiryOrAfterTheOutcome(Status status, long asked, long expected) {
        Transaction cashin = status == Status.PENDING
                ? Transactions.goldenCashin()
                : Transactions.goldenCashin().moveTo(status, AT, Source.RAIL);
        Instant at = Transactions.CREATED_AT.plusSeconds(asked);

        assertThat(cashin.with(RailCall.first(null, at, at)).unsettledSince())
                .isEqualTo(Transactions.CREATED_AT.plusSeconds(expected));
    }

    @Test
    void isUnsettledSinceTheFirstRefundOfARailCallWasRequested() {
        Transaction cashin = Transactions.partlyRefundedCashin();
        Instant first = Transactions.CREATED_AT.plusSeconds(2 * 3_600);
        Instant second = Transactions.CREATED_AT.plusSeconds(3 * 3_600);
        Instant asked = Transactions.CREATED_AT.plusSeconds(4 * 3_600);

        assertThat(cashin.unsettledSince()).isNull();
        Transaction one = cashin.with(RailCall.first(Transactions.FAILED_REFUND, asked, asked));
        assertThat(one.unsettledSince()).isEqualTo(second);
        assertThat(one.with(RailCall.first(Transactions.REFUND, asked, asked)).unsettledSince())
                .isEqualTo(first);
    }

    @Test
    void theRailsEndToEndIdReplacesTheGeneratedOne() {
        Transaction pending = Transactions.goldenCashin();
        Settlement settlement = new Settlement("E9988776620260310143114railDEF1", AT);

        Transaction paid = pending.with(new Entry.StatusChanged(Status.PAID, AT, Source.RAIL, null, settlement, null));

        assertThat(pending.endToEndId()).isEqualTo(Transactions.END_TO_END_ID);
        assertThat(paid.endToEndId()).isEqualTo("E9988776620260310143114railDEF1");
        assertThat(paid.moveTo(Status.REFUND, AT, Source.RAIL).endToEndId()).isEqualTo(paid.endToEndId());
        assertThat(paid.asOf(1).endToEndId()).isEqualTo(Transactions.END_TO_END_ID);
    }

    @Test
    void itsTextContainsNoPersonalData() {
        Transaction cashout = Transactions.goldenCashout();

        assertThat(cashout).hasToString("Transaction[id=" + Transactions.ID + ", status=pending, version=1]");
        assertThat(cashout.terms()).hasToString("Terms[…]");
        assertThat(cashout.terms().payer()).hasToString("Party[…]");
    }
}
