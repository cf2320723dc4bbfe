package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.SandboxAction;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.StatusEvent.Source;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandRulesTest {

    private static final Instant NOW = Transactions.CREATED_AT.plusSeconds(60);

    /** The path is the history after {@code pending}; an empty path is a new transaction. */
    @ParameterizedTest
    @CsvSource({
        // operation, path, kind, status
        "CASHIN,  '',                  SUBMIT,  PENDING",
        "CASHIN,  accepted,            NOTHING, PENDING",
        "CASHIN,  PAID,                NOTHING, PAID",
        "CASHIN,  DENIED,              NOTHING, DENIED",
        "CASHIN,  EXPIRED,             NOTHING, EXPIRED",
        "CASHIN,  CANCELED,            NOTHING, CANCELED",
        "CASHIN,  IN_ANALYSIS,         NOTHING, IN_ANALYSIS",
        "CASHIN,  PAID REFUND,         NOTHING, REFUND",
        "CASHOUT, '',                  SUBMIT,  IN_PROCESS",
        "CASHOUT, accepted,            SUBMIT,  IN_PROCESS",
        "CASHOUT, IN_PROCESS,          INQUIRE, IN_PROCESS",
        "CASHOUT, IN_PROCESS PAID,     NOTHING, PAID",
        "CASHOUT, IN_PROCESS DENIED,   NOTHING, DENIED",
        "CASHOUT, IN_ANALYSIS,         NOTHING, IN_ANALYSIS",
        "CASHOUT, CANCELED,            NOTHING, CANCELED",
    })
    void process(Operation operation, String path, Decision.Kind kind, Status status) {
        Decision decision =
                CommandRules.decide(at(operation, path), new TransactionCommand.Process(at(operation, "")), NOW);

        assertThat(decision.kind()).isEqualTo(kind);
        assertThat(decision.after().status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "CASHIN,  '',                CHANGE,  PAID",
        "CASHIN,  accepted,          CHANGE,  PAID",
        "CASHIN,  EXPIRED,           CHANGE,  PAID",
        "CASHIN,  IN_ANALYSIS,       CHANGE,  PAID",
        "CASHIN,  PAID,              NOTHING, PAID",
        "CASHIN,  DENIED,            NOTHING, DENIED",
        "CASHIN,  CANCELED,          NOTHING, CANCELED",
        "CASHIN,  PAID REFUND,       NOTHING, REFUND",
        "CASHOUT, '',                NOTHING, PENDING",
        "CASHOUT, IN_PROCESS,        CHANGE,  PAID",
        "CASHOUT, IN_PROCESS PAID,   NOTHING, PAID",
        "CASHOUT, IN_PROCESS DENIED, NOTHING, DENIED",
    })
    void sandboxPay(Operation operation, String path, Decision.Kind kind, Status status) {
        Transaction before = at(operation, path);

        Decision decision = CommandRules.decide(before, pay(before), NOW);

        assertThat(decision.kind()).isEqualTo(kind);
        assertThat(decision.after().status()).isEqualTo(status);
    }

    @Test
    void aSandboxPaymentHasTheSourceSandbox() {
        Transaction pending = at(Operation.CASHIN, "accepted");
        Transaction paid = CommandRules.decide(pending, pay(pending), NOW).after();

        assertThat(paid.lastEvent()).isEqualTo(new StatusEvent(2, Status.PAID, NOW, Source.SANDBOX, null));
    }

    @Test
    void aSandboxActionDoesNotChangeALiveTransaction() {
        Transaction live = LiveMode.of(at(Operation.CASHIN, "accepted"));

        assertThat(CommandRules.decide(live, pay(live), NOW)).isEqualTo(new Decision(Decision.Kind.NOTHING, live));
    }

    @ParameterizedTest
    @CsvSource({
        // operation, path, outcome, status, version
        "CASHIN,  '',         settled,  PAID,       2",
        "CASHIN,  '',         rejected, DENIED,     2",
        "CASHIN,  '',         pending,  PENDING,    1",
        "CASHIN,  '',         unknown,  PENDING,    1",
        "CASHOUT, IN_PROCESS, settled,  PAID,       3",
        "CASHOUT, IN_PROCESS, rejected, DENIED,     3",
        "CASHOUT, IN_PROCESS, pending,  IN_PROCESS, 2",
        "CASHOUT, IN_PROCESS, unknown,  IN_PROCESS, 2",
    })
    void settle(Operation operation, String path, String outcome, Status status, int version) {
        Transaction settled = CommandRules.settle(at(operation, path), outcome(outcome), NOW);

        assertThat(settled.accepted()).isTrue();
        assertThat(settled.status()).isEqualTo(status);
        assertThat(settled.version()).isEqualTo(version);
    }

    @Test
    void aRejectionKeepsTheRailsReason() {
        Transaction denied = CommandRules.settle(at(Operation.CASHIN, ""), new RailOutcome.Rejected("no_funds"), NOW);

        assertThat(denied.lastEvent().reason()).isEqualTo("no_funds");
        assertThat(denied.lastEvent().source()).isEqualTo(Source.RAIL);
    }

    private static TransactionCommand pay(Transaction transaction) {
        return new TransactionCommand.Sandbox(transaction.id(), SandboxAction.PAY);
    }

    private static Transaction at(Operation operation, String path) {
        Transaction transaction =
                operation == Operation.CASHIN ? Transactions.goldenCashin() : Transactions.goldenCashout();
        if (path.equals("accepted")) {
            return transaction.accept();
        }
        return Arrays.stream(path.split(" "))
                .filter(status -> !status.isEmpty())
                .map(Status::valueOf)
                .reduce(
                        transaction,
                        (at, status) -> at.moveTo(status, Transactions.CREATED_AT, Source.RAIL, null),
                        (one, other) -> other);
    }

    private static RailOutcome outcome(String code) {
        return switch (code) {
            case "settled" -> new RailOutcome.Settled();
            case "rejected" -> new RailOutcome.Rejected("rejected_by_rail");
            case "pending" -> new RailOutcome.Pending();
            case "unknown" -> new RailOutcome.Unknown();
            default -> throw new IllegalArgumentException(code);
        };
    }
}
