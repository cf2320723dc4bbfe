package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.processor.decide.RecordedPayment.Resolved;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BookEventsTest {

    private static final Instant AT = Transactions.CREATED_AT.plusSeconds(60);
    private static final UUID RESOLUTION = new UUID(7, 7);
    private static final Transaction CASHIN = Situations.at(Operation.CASHIN, Status.CANCELED);

    /** Events: created 1, paid 2; then two requests, the end of the first one 3, and a request. */
    @ParameterizedTest(name = "from event {0} on: requests {1}")
    @CsvSource({"1, 1 2 3", "3, 1 2 3", "4, 3"})
    void requestsOfRefundsAreToldAgainFromTheFirstEventOn(int announceFrom, String expected) {
        Transaction transaction = Transactions.goldenCashin()
                .moveTo(Status.PAID, AT, Source.RAIL)
                .with(asked(1, Source.MERCHANT), asked(2, Source.MERCHANT))
                .with(new Entry.RefundMade(id(1), false, AT))
                .with(asked(3, Source.MERCHANT), asked(4, Source.RAIL));

        List<BookEvent> told = BookEvents.of(transaction, announceFrom, List.of());

        assertThat(told)
                .extracting(BookEvent::id)
                .isEqualTo(List.of(expected.split(" ")).stream()
                        .map(number -> "refund_" + id(Integer.parseInt(number)))
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void unmatchedMoneyOfACashinComesInUnlessItGoesBack(UnmatchedPayment.Reason reason) {
        boolean goesBack = reason == UnmatchedPayment.Reason.RETURNED_TOO_MUCH
                || reason == UnmatchedPayment.Reason.REFUNDED_AFTER_FAILURE;

        assertThat(told(Transactions.goldenCashin(), reason, new Amount(700))
                        .get(0)
                        .outgoing())
                .isEqualTo(goesBack);
        assertThat(told(Transactions.goldenCashout(), reason, new Amount(700))
                        .get(0)
                        .outgoing())
                .isEqualTo(!goesBack);
    }

    @Test
    void moneyWithoutAnAmountIsNotTold() {
        assertThat(told(Transactions.goldenCashin(), UnmatchedPayment.Reason.UNCONFIRMED, null))
                .isEmpty();
    }

    private static List<BookEvent> told(
            Transaction transaction, UnmatchedPayment.Reason reason, @Nullable Amount amount) {
        UnmatchedPayment payment = new UnmatchedPayment("bank", "E1", transaction.id(), amount, reason, AT);
        return BookEvents.of(transaction, 2, List.of(payment));
    }

    private static Entry asked(int number, Source source) {
        return new Entry.RefundRequested(id(number), new Amount(100), source, null, null, AT, null);
    }

    private static RefundId id(int number) {
        return new RefundId(new UUID(0, number));
    }

    @ParameterizedTest
    @CsvSource({
        "CREDIT, books.unmatched_payment books.unmatched_credited",
        "KEEP, books.unmatched_payment books.unmatched_kept",
        "RETURN, books.unmatched_payment books.unmatched_returned",
        "ASSIGN, books.unmatched_payment"
    })
    void theBooksHearOfThePaymentAndOfWhatBecomesOfIt(ResolutionDecision decision, String expected) {
        RecordedPayment resolved =
                new RecordedPayment(open().id(), open().payment(), List.of(), resolved(decision, 700), null);

        for (Transaction own : new @Nullable Transaction[] {CASHIN, null}) {
            assertThat(resolved.bookEvents(own).stream()
                            .map(event -> event.type().code())
                            .reduce((one, other) -> one + " " + other))
                    .contains(expected);
        }
        assertThat(resolved.bookEvents(CASHIN)).isEqualTo(resolved.bookEvents(CASHIN));
    }

    /** The same event as the one that recorded it. */
    @Test
    void thePaymentIsTheEventOfItsRecord() {
        List<BookEvent> recorded = BookEvents.of(CASHIN, CASHIN.history().sequence() + 1, List.of(open().payment()));

        assertThat(open().bookEvents(CASHIN)).isEqualTo(recorded).hasSize(1);
    }

    /** What is moved back before the decision is not booked by it, what is moved back after it is taken back. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREDIT | 600 | -100 returned_bank/E1/B1, -200 returned_bank/E1/B2, +200 taken_back_bank/E1/B2, -600 resolution_bank/E1/00000000000000070000000000000007",
                "KEEP   | 600 | -100 returned_bank/E1/B1, -200 returned_bank/E1/B2, +200 taken_back_bank/E1/B2, -600 resolution_bank/E1/00000000000000070000000000000007",
                "KEEP   | 0   | -100 returned_bank/E1/B1, -200 returned_bank/E1/B2, +200 taken_back_bank/E1/B2",
                "RETURN | 600 | -100 returned_bank/E1/B1, -200 returned_bank/E1/B2, -600 resolution_bank/E1/00000000000000070000000000000007",
                "ASSIGN | 600 | -100 returned_bank/E1/B1",
            })
    void whatTheRailMovesBackLeavesWhereThePaymentHasGone(
            ResolutionDecision decision, long left, String fromUnmatched) {
        RecordedPayment payment = new RecordedPayment(
                open().id(),
                open().payment(),
                List.of(
                        new RecordedPayment.Returned("B1", new Amount(100), false, AT.plusSeconds(30)),
                        new RecordedPayment.Returned("B2", new Amount(200), true, AT.plusSeconds(90))),
                resolved(decision, left),
                null);

        assertThat(payment.bookEvents(CASHIN).stream()
                        .skip(1)
                        .map(event ->
                                (event.outgoing() ? "+" : "-") + event.amount().cents() + " " + event.id())
                        .collect(Collectors.joining(", ")))
                .isEqualTo(fromUnmatched);
        assertThat(payment.left()).isEqualTo(new Amount(400));
    }

    @Test
    void anOpenPaymentOfAnUnknownTransactionIsInNoBooks() {
        assertThat(open().bookEvents(null)).isEmpty();
    }

    private static RecordedPayment open() {
        return new RecordedPayment(
                "bank/E1",
                new UnmatchedPayment(
                        "bank", "E1", CASHIN.id(), new Amount(700), UnmatchedPayment.Reason.PAID_AFTER_ITS_END, AT),
                List.of(),
                null,
                null);
    }

    private static Resolved resolved(ResolutionDecision decision, long left) {
        return new Resolved(RESOLUTION, decision, CASHIN.tenant(), CASHIN.id(), new Amount(left), AT.plusSeconds(60));
    }
}
