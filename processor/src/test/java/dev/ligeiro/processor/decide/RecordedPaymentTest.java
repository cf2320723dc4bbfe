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
        RecordedPayment resolved = new RecordedPayment(open().id(), open().payment(), resolved(decision));

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

    @Test
    void anOpenPaymentOfAnUnknownTransactionIsInNoBooks() {
        assertThat(open().bookEvents(null)).isEmpty();
    }

    private static RecordedPayment open() {
        return new RecordedPayment(
                "bank/E1",
                new UnmatchedPayment(
                        "bank", "E1", CASHIN.id(), new Amount(700), UnmatchedPayment.Reason.PAID_AFTER_ITS_END, AT),
                null);
    }

    private static Resolved resolved(ResolutionDecision decision) {
        return new Resolved(RESOLUTION, decision, CASHIN.tenant(), CASHIN.id(), AT.plusSeconds(60));
    }
}
