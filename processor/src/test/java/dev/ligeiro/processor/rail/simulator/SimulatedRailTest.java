package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedRailTest {

    private final SimulatedRail rail = new SimulatedRail();

    @ParameterizedTest
    @CsvSource({
        "CASHIN,       11, settled",
        "CASHIN,  1000011, settled",
        "CASHIN,       12, rejected",
        "CASHIN,  5000012, rejected",
        "CASHIN,       10, pending",
        "CASHIN,     1100, pending",
        "CASHIN,     1213, pending",
        "CASHIN,    15075, pending",
        "CASHOUT,   15075, settled",
        "CASHOUT,      11, settled",
        "CASHOUT,     100, settled",
        "CASHOUT,      12, rejected",
        "CASHOUT,   99912, rejected",
    })
    void answersByTheCents(Operation operation, long cents, String outcome) {
        Transaction transaction = operation == Operation.CASHIN
                ? Transactions.cashin(new Amount(cents))
                : Transactions.cashout(new Amount(cents));

        assertThat(rail.submit(transaction).thenApply(RailOutcome::code)).isCompletedWithValue(outcome);
        assertThat(rail.inquire(transaction).thenApply(RailOutcome::code)).isCompletedWithValue(outcome);
    }

    @Test
    void makesEveryRefund() {
        Transaction paid = Transactions.partlyRefundedCashin();
        Refund refund = paid.history().refunds().get(0);

        assertThat(rail.refund(paid, refund)).isCompletedWithValue(RailOutcome.Settled.asAgreed());
        assertThat(rail.inquireRefund(paid, refund)).isCompletedWithValue(RailOutcome.Settled.asAgreed());
    }
}
