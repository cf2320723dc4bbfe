package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Redaction.Held;
import dev.ligeiro.transaction.Redaction.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RedactionTest {

    private static final Instant AT = Transactions.CREATED_AT;
    private static final Transaction PENDING = Transactions.goldenCashin().accept();
    private static final Transaction EXPIRED = PENDING.moveTo(Status.EXPIRED, AT, Source.SYSTEM);
    private static final Transaction PAID = PENDING.moveTo(Status.PAID, AT, Source.RAIL);
    private static final Transaction REFUNDED = PAID.moveTo(Status.REFUND, AT, Source.RAIL);
    private static final Transaction LATE = EXPIRED.moveTo(Status.PAID, at(40), Source.RAIL);
    private static final UUID DISPUTE = new UUID(1, 2);
    private static final Transaction DEFENDED = PAID.with(
            new Entry.DisputeOpened(DISPUTE, new Amount(100), "claimed", null, null, AT, "I1", null, AT),
            new Entry.DefenseRequested(DISPUTE, "It was delivered", new ChangeRef(new UUID(3, 4), null), AT));
    private static final Transaction CASHOUT =
            Transactions.goldenCashout().accept().moveTo(Status.IN_PROCESS, AT, Source.SYSTEM);
    private static final Transaction PAID_OUT = CASHOUT.moveTo(Status.PAID, AT, Source.RAIL);

    private static Instant at(int days) {
        return AT.plus(Duration.ofDays(days));
    }

    /** Days after the creation; the legal period in days; the reason and until when, in days. */
    static Stream<Arguments> held() {
        return Stream.of(
                arguments(PENDING, 4_000, 0, Reason.UNSETTLED, null),
                arguments(CASHOUT, 4_000, 0, Reason.UNSETTLED, null),
                arguments(DEFENDED, 4_000, 0, Reason.UNSETTLED, null),
                arguments(EXPIRED, 8, 0, Reason.RECENT, 8),
                arguments(EXPIRED, 9, 0, null, null),
                arguments(PAID, 8, 0, Reason.REFUND_WINDOW, 90),
                arguments(PAID, 90, 0, Reason.REFUND_WINDOW, 90),
                arguments(PAID, 91, 0, null, null),
                arguments(LATE, 130, 0, Reason.REFUND_WINDOW, 130),
                arguments(LATE, 131, 0, null, null),
                arguments(REFUNDED, 9, 0, null, null),
                arguments(PAID_OUT, 9, 0, null, null),
                arguments(PAID_OUT, 9, 1_826, Reason.LEGAL_PERIOD, 1_826),
                arguments(PAID, 91, 1_826, Reason.LEGAL_PERIOD, 1_826),
                arguments(PAID, 1_827, 1_826, null, null));
    }

    @ParameterizedTest
    @MethodSource
    void held(Transaction transaction, int day, int legalDays, @Nullable Reason reason, @Nullable Integer untilDay) {
        Held expected = reason == null ? null : new Held(reason, untilDay == null ? null : at(untilDay));

        assertThat(Redaction.held(transaction, Duration.ofDays(legalDays), at(day))
                        .orElse(null))
                .isEqualTo(expected);
    }

    @Test
    void whatANewTransactionSaysBeforeItIsAcceptedStays() {
        Transaction unaccepted = Transactions.like(EXPIRED).accepted(false).build();

        assertThat(Redaction.held(unaccepted, Duration.ZERO, at(4_000))).contains(new Held(Reason.UNSETTLED, null));
    }

    /** The largest one has every text that a merchant can give. */
    @Test
    void personalDataIsRemovedAndAllElseStays() {
        Transaction before = Transactions.largest();
        Transaction after = Redaction.of(before);

        assertThat(after.terms().payer().wasRemoved()).isTrue();
        assertThat(after.terms().fiscal()).isNull();
        assertThat(SearchTokens.of(after.terms())).containsExactly(SearchTokens.platform(Transactions.PLATFORM));
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(after.history().sequence()).isEqualTo(before.history().sequence());
        assertThat(after.history().statuses()).isEqualTo(before.history().statuses());
        assertThat(ChangeRules.refunded(after)).isEqualTo(ChangeRules.refunded(before));
        assertThat(after.terms().reference()).isEqualTo(before.terms().reference());
        assertThat(after.terms().amount()).isEqualTo(before.terms().amount());
        assertThat(after.idempotencyKeys())
                .containsExactlyElementsOf(before.idempotencyKeys().toList());
        assertThat(Redaction.of(after)).isSameAs(after);
    }

    @Test
    void theTextOfADefenceIsRemoved() {
        assertThat(DEFENDED.history().openDefenses().get(0).text()).isEqualTo("It was delivered");
        assertThat(Redaction.of(DEFENDED).history().openDefenses().get(0).text())
                .isEmpty();
    }

    @Test
    void whoHasPaidIsRemoved() {
        Settlement payment = new Settlement("E1", AT, Payer.of("João", "11144477735", "99999004"));
        Transaction paid = PENDING.with(new Entry.StatusChanged(Status.PAID, AT, Source.RAIL, null, payment, null));

        Transaction named = paid.with(new Entry.PayerNamed(new Payer("João", null, null), AT));

        for (Transaction before : new Transaction[] {paid, named}) {
            assertThat(Redaction.of(before).history().settlement()).contains(new Settlement("E1", AT));
            assertThat(Redaction.of(before).history().payer()).isEmpty();
            assertThat(Redaction.of(before).history().sequence())
                    .isEqualTo(before.history().sequence());
        }
    }

    @Test
    void theReceiversKeyIsRemoved() {
        assertThat(Redaction.of(PAID_OUT).terms().pixKey()).isNull();
    }
}
