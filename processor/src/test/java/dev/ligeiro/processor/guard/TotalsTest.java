package dev.ligeiro.processor.guard;

import static dev.ligeiro.processor.decide.GuardVerdict.INSUFFICIENT_FUNDS;
import static dev.ligeiro.processor.decide.GuardVerdict.LIMIT_COUNT;
import static dev.ligeiro.processor.decide.GuardVerdict.LIMIT_DAY;
import static dev.ligeiro.processor.decide.GuardVerdict.LIMIT_NIGHT;
import static dev.ligeiro.processor.decide.GuardVerdict.PASSED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.Totals.End;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.support.FundsStore.Funds;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TotalsTest {

    private static final CashoutGuard DAY = Guards.ofDay(Transactions.TENANT, 1_000);
    private static final CashoutGuard NIGHT = Guards.ofNight(Transactions.TENANT, 1_000);
    private static final CashoutGuard FUNDS = Guards.ofFunds(Transactions.TENANT);

    @Test
    void aDayIsReservedUpToItsLimitInTheOrderOfTheCashouts() {
        Instant noon = local("2026-03-10T12:00");

        Totals.Reserved reserved = Totals.none(DAY).reserve(cashouts(600, 500, 400, 1), DAY, null, noon);

        assertThat(reserved.verdicts().values()).containsExactly(PASSED, LIMIT_DAY, PASSED, LIMIT_DAY);
        assertThat(reserved.after().dayCents()).isEqualTo(1_000);
        assertThat(reserved.after().reserved()).hasSize(2);
    }

    @Test
    void aRepeatedCashoutCountsOnce() {
        Instant noon = local("2026-03-10T12:00");
        List<Transaction> cashouts = cashouts(600);
        Totals once = Totals.none(DAY).reserve(cashouts, DAY, null, noon).after();

        Totals.Reserved again = once.reserve(cashouts, DAY, null, noon.plusSeconds(5));

        assertThat(again.after()).isSameAs(once);
        assertThat(again.verdicts().values()).containsExactly(PASSED);
    }

    @Test
    void aDeniedCashoutIsTakenOffOnceAndAPaidOneCounts() {
        Instant noon = local("2026-03-10T12:00");
        List<Transaction> cashouts = cashouts(600, 400);
        Totals full = Totals.none(DAY).reserve(cashouts, DAY, null, noon).after();
        Map<TransactionId, End> ended =
                Map.of(cashouts.get(0).id(), End.NOT_PAID, cashouts.get(1).id(), End.PAID);

        Totals left = full.end(ended, DAY);

        assertThat(left.dayCents()).isEqualTo(400);
        assertThat(left.reserved()).isEmpty();
        assertThat(left.end(ended, DAY)).isSameAs(left);
    }

    @Test
    void aDenialOnTheNextDayFreesNothingOfThatDay() {
        List<Transaction> yesterday = cashouts(600);
        Totals before = Totals.none(DAY)
                .reserve(yesterday, DAY, null, local("2026-03-10T23:59"))
                .after();
        Totals today = before.reserve(cashouts(700), DAY, null, local("2026-03-11T00:00"))
                .after();

        assertThat(today.dayCents()).isEqualTo(700);
        assertThat(today.end(Map.of(yesterday.get(0).id(), End.NOT_PAID), DAY).dayCents())
                .isEqualTo(700);
    }

    /** The clock of another processor is ahead, or it has replaced the totals while these cashouts waited for them. */
    @Test
    void aCashoutFromJustBeforeMidnightCountsToTheDayThatHasBegun() {
        Totals begun = Totals.none(DAY)
                .reserve(cashouts(700), DAY, null, local("2026-03-11T00:00"))
                .after();
        List<Transaction> late = cashouts(400, 300);

        Totals.Reserved reserved = begun.reserve(late, DAY, null, local("2026-03-10T23:59:59"));

        assertThat(reserved.verdicts().values()).containsExactly(LIMIT_DAY, PASSED);
        assertThat(reserved.after().dayCents()).isEqualTo(1_000);
        assertThat(reserved.after()
                        .end(Map.of(late.get(1).id(), End.NOT_PAID), DAY)
                        .dayCents())
                .isEqualTo(700);
    }

    /** A night is from 20:00 to 06:00, over midnight; the day is not limited here. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-10T19:59:59, PASSED",
        "2026-03-10T20:00:00, LIMIT_NIGHT",
        "2026-03-10T23:59:59, LIMIT_NIGHT",
        "2026-03-11T05:59:59, LIMIT_NIGHT",
        "2026-03-11T06:00:00, PASSED",
        "2026-03-11T20:00:00, PASSED"
    })
    void aNightIsOneSumOverMidnight(String time, GuardVerdict expected) {
        Totals full = Totals.none(NIGHT)
                .reserve(cashouts(1_000), NIGHT, null, local("2026-03-10T20:00"))
                .after();

        assertThat(verdicts(full, NIGHT, local(time), 1)).containsExactly(expected);
    }

    @Test
    void theDayIsCheckedBeforeTheNight() {
        CashoutGuard both = new CashoutGuard(
                Transactions.TENANT,
                new Amount(100),
                new Amount(50),
                null,
                null,
                null,
                false,
                null,
                null,
                Guards.ZONE,
                DAY.totalsSince());
        Instant night = local("2026-03-10T22:00");

        assertThat(verdicts(Totals.none(both), both, night, 101, 51, 50))
                .containsExactly(LIMIT_DAY, LIMIT_NIGHT, PASSED);
    }

    @Test
    void aWindowSlides() {
        CashoutGuard guard = Guards.ofCount(Transactions.TENANT, 3, Duration.ofMinutes(10));
        Instant first = local("2026-03-10T12:00");
        Totals two =
                Totals.none(guard).reserve(cashouts(1, 1), guard, null, first).after();
        Totals three =
                two.reserve(cashouts(1), guard, null, first.plusSeconds(300)).after();

        assertThat(verdict(three, guard, first.plusSeconds(599))).isEqualTo(LIMIT_COUNT);
        assertThat(verdict(three, guard, first.plusSeconds(606))).isEqualTo(PASSED);
        Totals five = three.reserve(cashouts(1, 1), guard, null, first.plusSeconds(606))
                .after();
        assertThat(verdict(five, guard, first.plusSeconds(607))).isEqualTo(LIMIT_COUNT);
        assertThat(verdict(five, guard, first.plusSeconds(910))).isEqualTo(PASSED);
    }

    @Test
    void aDenialFreesAPlaceInTheWindow() {
        CashoutGuard guard = Guards.ofCount(Transactions.TENANT, 1, Duration.ofHours(1));
        Instant noon = local("2026-03-10T12:00");
        List<Transaction> cashouts = cashouts(1);
        Totals full = Totals.none(guard).reserve(cashouts, guard, null, noon).after();

        assertThat(verdict(full, guard, noon.plusSeconds(1))).isEqualTo(LIMIT_COUNT);
        Totals free = full.end(Map.of(cashouts.get(0).id(), End.NOT_PAID), guard);
        assertThat(verdict(free, guard, noon.plusSeconds(1))).isEqualTo(PASSED);
        assertThat(free.slots()).isEmpty();
    }

    @Test
    void theLargestAmountsDoNotOverflow() {
        CashoutGuard guard = Guards.ofDay(Transactions.TENANT, Amount.MAX.cents());
        Instant noon = local("2026-03-10T12:00");
        Totals full = Totals.none(guard)
                .reserve(List.of(Transactions.cashout(Amount.MAX)), guard, null, noon)
                .after();

        assertThat(full.reserve(List.of(Transactions.cashout(Amount.MAX)), guard, null, noon)
                        .verdicts()
                        .values())
                .containsExactly(LIMIT_DAY);
    }

    @Test
    void moreCashoutsThanADocumentHoldsWait() {
        CashoutGuard guard = Guards.ofDay(Transactions.TENANT, Amount.MAX.cents());
        List<Transaction> many = new ArrayList<>(IntStream.range(0, Totals.RESERVED_MAX)
                .mapToObj(i -> Transactions.cashout(new Amount(1)))
                .toList());
        Instant noon = local("2026-03-10T12:00");
        Totals full = Totals.none(guard).reserve(many, guard, null, noon).after();

        assertThat(verdict(full, guard, noon)).isEqualTo(GuardVerdict.WAITS);
    }

    @Test
    void earlierDecisionsCountInAnyOrder() {
        Instant noon = local("2026-03-11T12:00");
        Transaction underWay = Transactions.cashout(new Amount(1));
        List<Totals.Decided> decided = List.of(
                new Totals.Decided(Transactions.cashout(new Amount(1)).id(), 300, 0, noon.minusSeconds(60), true),
                new Totals.Decided(Transactions.cashout(new Amount(1)).id(), 900, 0, noon.minusSeconds(90_000), true),
                new Totals.Decided(underWay.id(), 200, 0, noon.minusSeconds(30), false));
        Totals totals = Totals.none(DAY).and(decided, Set.of(), DAY);

        assertThat(totals.dayCents()).isEqualTo(500);
        assertThat(totals.reserved()).containsOnlyKeys(underWay.id());
        assertThat(verdicts(totals, DAY, noon, 501, 500)).containsExactly(LIMIT_DAY, PASSED);
    }

    /** The commission of each is 1.51. */
    @Test
    void cashoutsAreReservedUpToTheFundsWithTheirCommissions() {
        Instant noon = local("2026-03-10T12:00");
        List<Transaction> cashouts = cashouts(600, 500, 100);

        assertThat(Totals.none(FUNDS)
                        .reserve(cashouts, FUNDS, funds(1_002), noon)
                        .verdicts()
                        .values())
                .containsExactly(PASSED, INSUFFICIENT_FUNDS, PASSED);
        assertThat(Totals.none(FUNDS)
                        .reserve(cashouts, FUNDS, funds(1_001), noon)
                        .verdicts()
                        .values())
                .containsExactly(PASSED, INSUFFICIENT_FUNDS, INSUFFICIENT_FUNDS);
    }

    @Test
    void aPaidCashoutKeepsItsReservationUntilItIsInTheBalance() {
        Instant noon = local("2026-03-10T12:00");
        List<Transaction> cashouts = cashouts(600, 100);
        Set<TransactionId> paid = Set.of(cashouts.get(0).id());
        Totals both =
                Totals.none(FUNDS).reserve(cashouts, FUNDS, funds(1_002), noon).after();

        Totals ended =
                both.end(Map.of(cashouts.get(0).id(), End.PAID, cashouts.get(1).id(), End.NOT_PAID), FUNDS);

        assertThat(ended.reserved()).containsOnlyKeys(paid);
        assertThat(ended.end(Map.of(cashouts.get(0).id(), End.PAID), FUNDS)).isSameAs(ended);
        // not in the balance yet
        assertThat(reserved(ended, 101, funds(1_002))).isEqualTo(INSUFFICIENT_FUNDS);
        assertThat(reserved(ended, 100, funds(1_002))).isEqualTo(PASSED);
        // in it, which is less now
        Funds posted = new Funds(new Document(BalanceFields.MERCHANT, 1_002L - 751), paid);
        assertThat(reserved(ended, 101, posted)).isEqualTo(INSUFFICIENT_FUNDS);
        assertThat(reserved(ended, 100, posted)).isEqualTo(PASSED);
        assertThat(ended.withoutPosted(paid).reserved()).isEmpty();
    }

    /** A rail may be paying it. */
    @Test
    void aCashoutUnderWayStaysReservedWhenItIsInTheBalance() {
        Instant noon = local("2026-03-10T12:00");
        List<Transaction> cashouts = cashouts(600);
        Totals underWay =
                Totals.none(FUNDS).reserve(cashouts, FUNDS, funds(751), noon).after();

        assertThat(underWay.withoutPosted(Set.of(cashouts.get(0).id()))).isSameAs(underWay);
        Funds posted = new Funds(
                new Document(BalanceFields.MERCHANT, 251L),
                Set.of(cashouts.get(0).id()));
        assertThat(reserved(underWay, 100, posted)).isEqualTo(PASSED);
    }

    @Test
    void aNegativeBalancePaysNothing() {
        assertThat(reserved(Totals.none(FUNDS), 1, funds(-1))).isEqualTo(INSUFFICIENT_FUNDS);
    }

    /** Before the check began, nobody has reserved them. */
    @Test
    void earlierCashoutsThatTheBalanceLacksAreReserved() {
        Instant noon = local("2026-03-11T12:00");
        Totals.Decided posted =
                new Totals.Decided(Transactions.cashout(new Amount(1)).id(), 300, 1, noon, true);
        Totals.Decided paid =
                new Totals.Decided(Transactions.cashout(new Amount(1)).id(), 500, 2, noon, true);

        Totals totals = Totals.none(FUNDS).and(List.of(posted, paid), Set.of(posted.id()), FUNDS);

        assertThat(totals.reserved()).containsOnlyKeys(paid.id());
        assertThat(reserved(totals, 100, funds(502 + 250))).isEqualTo(INSUFFICIENT_FUNDS);
        assertThat(reserved(totals, 100, funds(502 + 251))).isEqualTo(PASSED);
    }

    private static GuardVerdict reserved(Totals totals, long cents, Funds funds) {
        return totals.reserve(cashouts(cents), FUNDS, funds, local("2026-03-11T12:00"))
                .verdicts()
                .values()
                .iterator()
                .next();
    }

    private static Funds funds(long cents) {
        return new Funds(new Document(BalanceFields.MERCHANT, cents), Set.of());
    }

    private static GuardVerdict verdict(Totals totals, CashoutGuard guard, Instant at) {
        return verdicts(totals, guard, at, 1).iterator().next();
    }

    private static Collection<GuardVerdict> verdicts(Totals totals, CashoutGuard guard, Instant at, long... cents) {
        return totals.reserve(cashouts(cents), guard, null, at).verdicts().values();
    }

    private static List<Transaction> cashouts(long... cents) {
        List<Transaction> cashouts = new ArrayList<>();
        for (long each : cents) {
            cashouts.add(Transactions.cashout(new Amount(each)));
        }
        return cashouts;
    }

    private static Instant local(String time) {
        return LocalDateTime.parse(time).atZone(Guards.ZONE).toInstant();
    }
}
