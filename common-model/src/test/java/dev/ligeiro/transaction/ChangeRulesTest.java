package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of refunds and of live mode; the processor's {@code DecisionGridTest} has every action in every status. */
class ChangeRulesTest {

    /** The time of the payments. */
    private static final Instant PAID_AT = Transactions.CREATED_AT.plusSeconds(60);

    private static final Instant NOW = PAID_AT.plusSeconds(60);

    @ParameterizedTest
    @EnumSource
    void inLiveModeTheSandboxIsRefusedInEveryStatus(Status status) {
        for (Operation operation : Operation.values()) {
            Transaction live = Transactions.like(in(operation, status))
                    .tenant(Tenant.of(7, Mode.LIVE))
                    .build();
            for (SandboxAction action : SandboxAction.values()) {
                assertThat(ChangeRules.refusal(live, new ChangeAction.Sandbox(action), NOW))
                        .contains(ChangeRefusal.TEST_MODE_ONLY);
            }
        }
    }

    @ParameterizedTest(name = "150.75 with refunds [{0}]: a refund of {1} is {2}")
    @CsvSource({
        // cents of earlier refunds and their states, cents of the request (none: the rest), expected refusal
        "'',                                             1,     ",
        "'',                                             15075, ",
        "'',                                             15076, REFUND_EXCEEDS_AMOUNT",
        "'',                                             ,      ",
        "5000 refunded,                                  10075, ",
        "5000 refunded,                                  10076, REFUND_EXCEEDS_AMOUNT",
        "5000 refunded,                                  ,      ",
        "5000 processing,                                10075, ",
        "5000 processing,                                10076, REFUND_EXCEEDS_AMOUNT",
        "5000 failed,                                    15075, ",
        "5000 failed,                                    15076, REFUND_EXCEEDS_AMOUNT",
        "15075 processing,                               1,     REFUND_EXCEEDS_AMOUNT",
        "15075 processing,                               ,      REFUND_EXCEEDS_AMOUNT",
        "15075 failed,                                   15075, ",
        "15075 failed,                                   ,      ",
        "15075 failed 15075 failed,                      15075, ",
        "5000 refunded 10000 processing 10000 failed,    75,    ",
        "5000 refunded 10000 processing 10000 failed,    76,    REFUND_EXCEEDS_AMOUNT",
        "5000 refunded 10075 processing 10000 failed,    ,      REFUND_EXCEEDS_AMOUNT",
    })
    void refundsNeverExceedTheAmount(String earlier, @Nullable Long cents, @Nullable ChangeRefusal expected) {
        Transaction paid = withRefunds(earlier);

        assertThat(ChangeRules.refusal(paid, refund(cents), NOW)).isEqualTo(Optional.ofNullable(expected));
    }

    @ParameterizedTest(name = "150.75 with refunds [{0}]: the sandbox's refund is {1}")
    @CsvSource({
        "'',                ",
        "15074 processing,  ",
        "15075 failed,      ",
        "15075 processing,  REFUND_EXCEEDS_AMOUNT",
    })
    void theSandboxRefundsOnlyWhatTheMerchantsRefundsLeave(String earlier, @Nullable ChangeRefusal expected) {
        assertThat(ChangeRules.refusal(withRefunds(earlier), new ChangeAction.Sandbox(SandboxAction.REFUND), NOW))
                .isEqualTo(Optional.ofNullable(expected));
    }

    @ParameterizedTest(name = "150.75 with refunds [{0}]: {1} refundable, {2} refunded")
    @CsvSource({
        "'',                                          150.75, 0.00",
        "5000 refunded,                               100.75, 50.00",
        "5000 processing,                             100.75, 0.00",
        "5000 failed,                                 150.75, 0.00",
        "15075 processing,                            0.00,   0.00",
        "5000 refunded 10000 processing 10000 failed, 0.75,   50.00",
        "5000 refunded 5000 refunded,                 50.75,  100.00",
    })
    void aRefundReservesItsAmountUntilItFails(String refunds, String refundable, String refunded) {
        Transaction paid = withRefunds(refunds);

        assertThat(ChangeRules.refundable(paid)).hasToString(refundable);
        assertThat(ChangeRules.refunded(paid)).hasToString(refunded);
    }

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    @Property
    void refundableRefundedAndProcessingAmountsAddUpToTheAmount(@ForAll("lives") List<Transaction> life) {
        for (Transaction transaction : life) {
            long processing = transaction.history().refunds().stream()
                    .filter(refund -> refund.state() == Refund.State.PROCESSING)
                    .mapToLong(refund -> refund.amount().cents())
                    .sum();

            assertThat(ChangeRules.refundable(transaction).cents()
                            + ChangeRules.refunded(transaction).cents()
                            + processing)
                    .isEqualTo(transaction.terms().amount().cents());
        }
    }

    @ParameterizedTest(name = "{0} ms after 90 days: {1}")
    @CsvSource({"-1, ", "0, ", "1, REFUND_WINDOW_CLOSED"})
    void aRefundIsPossibleFor90Days(long millis, @Nullable ChangeRefusal expected) {
        Transaction paid = in(Operation.CASHIN, Status.PAID);
        Instant now = PAID_AT.plus(Duration.ofDays(90)).plusMillis(millis);

        assertThat(ChangeRules.refusal(paid, refund(null), now)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void the90DaysBeginWithTheLatePaymentOfAnExpiredCashin() {
        Instant late = PAID_AT.plus(Duration.ofDays(30));
        Transaction paid = Transactions.goldenCashin()
                .moveTo(Status.EXPIRED, PAID_AT, Source.SYSTEM)
                .moveTo(Status.PAID, late, Source.RAIL);

        assertThat(ChangeRules.refusal(paid, refund(null), late.plus(Duration.ofDays(90))))
                .isEmpty();
        assertThat(ChangeRules.refusal(
                        paid, refund(null), late.plus(Duration.ofDays(90)).plusMillis(1)))
                .contains(ChangeRefusal.REFUND_WINDOW_CLOSED);
    }

    /** The earlier refund has reference {@code r1}, 50.00 and the description {@code shirt}. */
    @ParameterizedTest(name = "{0} {1} {2}: {3}, same refund: {4}")
    @CsvSource({
        // reference, cents, description, expected refusal, is the earlier refund
        "r1, 5000,  shirt, ,                              true",
        "r1, ,      shirt, ,                              true", // asks for the rest, whatever it was then
        "r1, 5001,  shirt, REFUND_REFERENCE_ALREADY_USED, false",
        "r1, 10075, shirt, REFUND_REFERENCE_ALREADY_USED, false",
        "r1, 5000,  shoes, REFUND_REFERENCE_ALREADY_USED, false",
        "r1, 5000,  ,      REFUND_REFERENCE_ALREADY_USED, false",
        "r2, 5000,  shirt, ,                              false",
        "R1, 5000,  shirt, ,                              false",
        ",   5000,  shirt, ,                              false",
    })
    void theSameReferenceWithTheSameBodyIsTheSameRefund(
            @Nullable String reference,
            @Nullable Long cents,
            @Nullable String description,
            @Nullable ChangeRefusal expected,
            boolean same) {
        Transaction paid = withReference(in(Operation.CASHIN, Status.PAID), "r1", "shirt", 5000);
        ChangeAction.Refund request = new ChangeAction.Refund(amount(cents), reference, description);

        assertThat(ChangeRules.refusal(paid, request, NOW)).isEqualTo(Optional.ofNullable(expected));
        assertThat(ChangeRules.sameRefund(paid, request).map(Refund::reference))
                .isEqualTo(same ? Optional.of("r1") : Optional.empty());
    }

    /** A request that is sent again gets its first answer, whatever the transaction allows by now. */
    @Test
    void theReferenceIsComparedBeforeEverythingElse() {
        Transaction requested = withReference(in(Operation.CASHIN, Status.PAID), "r1", null, 15075);
        RefundId id = requested.history().refunds().get(0).id();
        Transaction refunded = requested.with(new Entry.RefundMade(id, true, NOW));
        Transaction failed = requested.with(new Entry.RefundFailed(id, "rejected_by_rail", NOW));
        ChangeAction.Refund same = new ChangeAction.Refund(null, "r1", null);
        ChangeAction.Refund other = new ChangeAction.Refund(null, "r1", "other");
        Instant muchLater = NOW.plus(Duration.ofDays(1_000));

        for (Transaction later : List.of(requested, refunded, failed)) {
            assertThat(ChangeRules.refusal(later, same, muchLater)).isEmpty();
            assertThat(ChangeRules.sameRefund(later, same).map(Refund::id)).contains(id);
            assertThat(ChangeRules.refusal(later, other, muchLater))
                    .contains(ChangeRefusal.REFUND_REFERENCE_ALREADY_USED);
        }
    }

    @Test
    void aHundredRefundsAreTheLimitFailedOnesIncluded() {
        Transaction with99 = withRefunds("1 refunded ".repeat(50) + "1 failed ".repeat(49));
        Transaction with100 = withRefunds("1 refunded ".repeat(50) + "1 failed ".repeat(50));

        assertThat(ChangeRules.refusal(with99, refund(1L), NOW)).isEmpty();
        assertThat(ChangeRules.refusal(with100, refund(1L), NOW)).contains(ChangeRefusal.REFUND_LIMIT_REACHED);
    }

    @ParameterizedTest(name = "{0} cashin with 100 refunds, {1} days after its payment, a refund of {2} cents: {3}")
    @CsvSource({
        // each row breaks one rule less
        "REFUND, 91, 15076, INVALID_TRANSITION",
        "PAID,   91, 15076, REFUND_WINDOW_CLOSED",
        "PAID,   1,  15076, REFUND_EXCEEDS_AMOUNT",
        "PAID,   1,  1,     REFUND_LIMIT_REACHED",
    })
    void theFirstBrokenRuleIsNamed(Status status, int days, long cents, ChangeRefusal expected) {
        Transaction paid = withRefunds("1 failed ".repeat(100));
        Transaction transaction = status == Status.PAID ? paid : paid.moveTo(status, NOW, Source.RAIL);

        assertThat(ChangeRules.refusal(transaction, refund(cents), PAID_AT.plus(Duration.ofDays(days))))
                .contains(expected);
    }

    private static ChangeAction.Refund refund(@Nullable Long cents) {
        return new ChangeAction.Refund(amount(cents), null, null);
    }

    private static @Nullable Amount amount(@Nullable Long cents) {
        return cents == null ? null : new Amount(cents);
    }

    private static Transaction in(Operation operation, Status status) {
        Transaction pending =
                operation == Operation.CASHIN ? Transactions.goldenCashin() : Transactions.goldenCashout();
        return status == Status.PENDING
                ? pending
                : Transactions.like(pending)
                        .history(
                                pending.history().with(List.of(Entry.StatusChanged.to(status, PAID_AT, Source.SYSTEM))))
                        .build();
    }

    private static Transaction withReference(
            Transaction paid, String reference, @Nullable String description, long cents) {
        return paid.with(new Entry.RefundRequested(
                RefundId.at(NOW), new Amount(cents), Source.MERCHANT, reference, description, NOW, null));
    }

    /** A paid cashin of 150.75 with refunds such as {@code 5000 refunded 2000 failed}. */
    private static Transaction withRefunds(String refunds) {
        List<Entry> entries = new ArrayList<>();
        String[] words = refunds.isEmpty() ? new String[0] : refunds.trim().split("\\s+");
        for (int i = 0; i < words.length; i += 2) {
            RefundId id = RefundId.at(NOW);
            Amount amount = new Amount(Long.parseLong(words[i]));
            entries.add(new Entry.RefundRequested(id, amount, Source.MERCHANT, null, null, NOW, null));
            switch (words[i + 1]) {
                case "refunded" -> entries.add(new Entry.RefundMade(id, false, NOW));
                case "failed" -> entries.add(new Entry.RefundFailed(id, "rejected_by_rail", NOW));
                default -> assertThat(words[i + 1]).isEqualTo("processing");
            }
        }
        return in(Operation.CASHIN, Status.PAID).with(entries.toArray(Entry[]::new));
    }
}
