package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.rail.PaymentRailContract;
import dev.ligeiro.processor.rail.RailScenario;
import dev.ligeiro.processor.rail.RailUnderTest;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rails of a bank account pass what the simulator passes, on real sockets; the bank's ledger is the judge. */
@Tag("nightly")
class BankContractIT extends PaymentRailContract {

    /** One of each kind of call; a run takes some 20 ms, and there are thousands. */
    private static final List<RailScenario> SCENARIOS = List.of(
            canceled(),
            refund("paid, a part is refunded", 100, Status.PAID),
            refund("paid, a refund fails", 1313, Status.PAID),
            scenario("cashout", cashout("maria@example.com"), Status.PAID),
            scenario("cashout, fails", cashout("fails@bank.example"), Status.DENIED));

    private static RunningBank bank;
    private static BankAccount account;

    @BeforeAll
    static void startBank() {
        bank = new RunningBank(settings -> settings.settlesAfter(Duration.ZERO).keyLookupsPerMinute(1_000_000));
        account = bank.account(Clock.systemUTC());
    }

    @AfterAll
    static void stopBank() {
        bank.close();
    }

    @Override
    protected RailUnderTest open(TestClock clock) {
        return new BankUnderTest(bank, account, clock);
    }

    @Override
    protected List<RailScenario> scenarios() {
        return SCENARIOS;
    }

    private static RailScenario scenario(String name, Transaction transaction, Status ends) {
        return new RailScenario(
                name, transaction, List.of(new TransactionCommand.Process(transaction)), List.of(), ends);
    }

    private static RailScenario canceled() {
        Transaction cashin = cashin(1000);
        return new RailScenario(
                "cashin, canceled",
                cashin,
                List.of(new TransactionCommand.Process(cashin), change(cashin, new ChangeAction.Cancel())),
                List.of(),
                Status.CANCELED);
    }

    private static RailScenario refund(String name, long cents, Status ends) {
        Transaction cashin = cashin(2000 + BankUnderTest.CENTS_PAID);
        ChangeAction refund = new ChangeAction.Refund(new Amount(cents), null, null);
        return new RailScenario(
                name, cashin, List.of(new TransactionCommand.Process(cashin)), List.of(change(cashin, refund)), ends);
    }

    private static TransactionCommand change(Transaction transaction, ChangeAction action) {
        return new TransactionCommand.Change(
                transaction.tenant(), transaction.id(), new ChangeRef(UUID.randomUUID(), null), action);
    }

    private static Transaction cashin(long cents) {
        return LiveTransactions.of(Transactions.cashin(new Amount(cents)));
    }

    private static Transaction cashout(String key) {
        return Transactions.like(LiveTransactions.of(Transactions.cashout(new Amount(1000))))
                .pixKey(new PixKey(PixKey.Type.EMAIL, key))
                .build();
    }
}
