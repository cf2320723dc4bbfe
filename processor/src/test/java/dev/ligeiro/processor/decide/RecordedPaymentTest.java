package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.processor.decide.RecordedPayment.Resolved;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.ResolutionDecision;
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

class RecordedPaymentTest {

    private static final Instant AT = Transactions.CREATED_AT;
    private static final UUID RESOLUTION = new UUID(7, 7);
    private static final Transaction CASHIN = Situations.at(Operation.CASHIN, Status.CANCELED);

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
