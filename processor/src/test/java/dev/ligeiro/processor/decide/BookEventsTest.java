package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BookEventsTest {

    private static final Instant AT = Transactions.CREATED_AT.plusSeconds(60);

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
}
