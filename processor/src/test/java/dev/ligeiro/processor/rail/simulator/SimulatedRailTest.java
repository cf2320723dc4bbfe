package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
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

        assertThat(rail.submit(transaction).map(RailOutcome::code).block()).isEqualTo(outcome);
        assertThat(rail.inquire(transaction).map(RailOutcome::code).block()).isEqualTo(outcome);
    }

    @Test
    void isTheRailOfTestTransactions() {
        assertThat(rail.mode()).isEqualTo(Mode.TEST);
    }
}
