package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.PaymentRailContract;
import dev.ligeiro.processor.rail.RailScenario;
import dev.ligeiro.processor.rail.RailUnderTest;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** The simulated rail as it is, and in the characters of real banks. */
abstract class SimulatorContract {

    /** See {@link PaymentRailContract#oneFateIn}. */
    abstract int oneFateIn();

    @Nested
    class AsItIs extends WithCashins {

        @Override
        protected RailUnderTest open(TestClock clock) {
            return new SimulatedBank(clock);
        }
    }

    @Nested
    class AskedByResubmission extends Simulator {

        @Override
        protected RailUnderTest open(TestClock clock) {
            return new SimulatedBank.AskedByResubmission(clock, false);
        }
    }

    @Nested
    class AskedByResubmissionWhichItRejects extends Simulator {

        @Override
        protected RailUnderTest open(TestClock clock) {
            return new SimulatedBank.AskedByResubmission(clock, true);
        }
    }

    @Nested
    class RejectsRepetitions extends WithCashins {

        @Override
        protected RailUnderTest open(TestClock clock) {
            return new SimulatedBank.RejectsRepetitions(clock, true);
        }
    }

    @Nested
    class RejectsRepetitionsOverANetwork extends WithCashins {

        @Override
        protected RailUnderTest open(TestClock clock) {
            return new SimulatedBank.RejectsRepetitions(clock, false);
        }
    }

    @Nested
    class ReleasedByAPerson extends Simulator {

        @Override
        protected RailUnderTest open(TestClock clock) {
            return new SimulatedBank.ReleasedByAPerson(clock);
        }
    }

    @Nested
    class OneCallAtOnce extends Simulator {

        @Override
        protected RailUnderTest open(TestClock clock) {
            return new SimulatedBank.OneCallAtOnce(clock);
        }
    }

    private abstract class WithCashins extends Simulator {

        private final List<RailScenario> all =
                Stream.concat(cashins().stream(), super.scenarios().stream()).toList();

        @Override
        protected List<RailScenario> scenarios() {
            return all;
        }
    }

    /** Cashouts and refunds; most characters do not differ in cashins. */
    private abstract class Simulator extends PaymentRailContract {

        private static final List<RailScenario> CASHOUTS_AND_REFUNDS =
                Stream.concat(cashouts().stream(), refunds().stream()).toList();

        @Override
        protected int oneFateIn() {
            return SimulatorContract.this.oneFateIn();
        }

        @Override
        protected List<RailScenario> scenarios() {
            return CASHOUTS_AND_REFUNDS;
        }

        private static List<RailScenario> cashouts() {
            Transaction timedOut = cashout(1016);
            Transaction paid = cashout(1000);
            return List.of(
                    scenario("cashout", cashout(1000), Status.PAID),
                    scenario("cashout .12", cashout(1012), Status.DENIED),
                    scenario("cashout .13", cashout(1013), Status.PAID),
                    scenario("cashout .16", cashout(1016), Status.PAID),
                    scenario("cashout .17", cashout(1017), Status.DENIED),
                    scenario("cashout .18", cashout(1018), Status.REFUND),
                    scenario("cashout .16, reported twice", timedOut, Status.PAID, notice(timedOut), notice(timedOut)),
                    new RailScenario(
                            "cashout, reported when it is paid",
                            paid,
                            List.of(new TransactionCommand.Process(paid)),
                            List.of(notice(paid)),
                            Status.PAID));
        }

        private static List<RailScenario> refunds() {
            return List.of(
                    refund("a part is refunded", 100L, Status.PAID),
                    refund("all is refunded", null, Status.REFUND),
                    refund("refund .12", 112L, Status.PAID),
                    refund("refund .16", 116L, Status.PAID),
                    refund("refund .17", 117L, Status.PAID));
        }

        private static RailScenario refund(String name, @Nullable Long cents, Status ends) {
            Transaction cashin = cashin(1011);
            ChangeAction refund = new ChangeAction.Refund(cents == null ? null : new Amount(cents), null, null);
            return new RailScenario(
                    name,
                    cashin,
                    List.of(new TransactionCommand.Process(cashin)),
                    List.of(change(cashin, refund)),
                    ends);
        }
    }

    private static List<RailScenario> cashins() {
        Transaction atOnce = cashin(1015);
        Transaction expiresAtOnce =
                Transactions.like(atOnce).expiresAt(atOnce.createdAt()).build();
        Transaction canceled = cashin(1000);
        Transaction paid = cashin(1000);
        Transaction reported = cashin(1000);
        return List.of(
                scenario("cashin, nobody pays", cashin(1000), Status.EXPIRED),
                scenario("cashin .11", cashin(1011), Status.PAID),
                scenario("cashin .12", cashin(1012), Status.DENIED),
                scenario("cashin .13", cashin(1013), Status.PAID),
                scenario("cashin .14", cashin(1014), Status.DENIED),
                scenario("cashin .15", expiresAtOnce, Status.EXPIRED),
                scenario("cashin, canceled", canceled, Status.CANCELED, change(canceled, new ChangeAction.Cancel())),
                scenario(
                        "cashin, canceled and falsely reported as paid",
                        reported,
                        Status.CANCELED,
                        change(reported, new ChangeAction.Cancel()),
                        notice(reported)),
                scenario(
                        "cashin, paid in the sandbox",
                        paid,
                        Status.PAID,
                        change(paid, new ChangeAction.Sandbox(SandboxAction.PAY))));
    }

    private static RailScenario scenario(
            String name, Transaction transaction, Status ends, TransactionCommand... more) {
        List<TransactionCommand> commands = new ArrayList<>(List.of(new TransactionCommand.Process(transaction)));
        commands.addAll(List.of(more));
        return new RailScenario(name, transaction, commands, List.of(), ends);
    }

    private static TransactionCommand change(Transaction transaction, ChangeAction action) {
        return new TransactionCommand.Change(
                transaction.tenant(), transaction.id(), new ChangeRef(UUID.randomUUID(), null), action);
    }

    private static TransactionCommand notice(Transaction transaction) {
        return new TransactionCommand.RailNotice(
                transaction.id(),
                "simulator",
                transaction.endToEndId(),
                transaction.terms().amount());
    }

    private static Transaction cashin(long cents) {
        return Transactions.cashin(new Amount(cents));
    }

    private static Transaction cashout(long cents) {
        return Transactions.cashout(new Amount(cents));
    }
}
