package dev.ligeiro.processor.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.GuardSettings.Changed;
import dev.ligeiro.processor.guard.GuardSettings.Stopped;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardSettingsTest {

    private static final Transaction CASHOUT = Transactions.cashout(new Amount(1_000));
    private static final Tenant TENANT = CASHOUT.tenant();
    private static final String KEY = "maria@example.com";
    private static final String DOCUMENT = Transactions.PAYER.document();

    @ParameterizedTest
    @CsvSource({
        ",          ,   CASHOUTS_STOPPED",
        "simulator, ,   CASHOUTS_STOPPED",
        "other,     ,   PASSED",
        ",          7,  CASHOUTS_STOPPED",
        ",          8,  PASSED",
        "simulator, 7,  CASHOUTS_STOPPED",
        "simulator, 8,  PASSED",
        "other,     7,  PASSED"
    })
    void aStopHoldsForItsRailAndMerchant(@Nullable String rail, @Nullable Long merchantNumber, GuardVerdict expected) {
        assertThat(stopped(new Stopped(false, rail, merchantNumber))).isEqualTo(expected);
    }

    @Test
    void aFrozenMerchantPaysNothingOutAndAStopIsNamedFirst() {
        Stopped frozen = new Stopped(true, null, TENANT.merchantNumber());

        assertThat(stopped(frozen)).isEqualTo(GuardVerdict.MERCHANT_FROZEN);
        assertThat(stopped(frozen, new Stopped(false, null, null))).isEqualTo(GuardVerdict.CASHOUTS_STOPPED);
    }

    @Test
    void theCashoutsOfATenantAreStoppedUntilTheyAreOpened() {
        Changed made = new Changed(TENANT, Guards.none(TENANT), false, Instant.EPOCH);
        Changed opened = new Changed(TENANT, Guards.none(TENANT), true, Instant.EPOCH);
        GuardSettings before = GuardSettings.NONE.with(List.of(), List.of(made));

        assertThat(before.verdict(CASHOUT, cashout -> true)).isEqualTo(GuardVerdict.CASHOUTS_STOPPED);
        assertThat(before.with(List.of(), List.of(opened)).verdict(CASHOUT, cashout -> true))
                .isEqualTo(GuardVerdict.PASSED);
    }

    @Test
    void anAmountAboveTheLimitIsDeniedUnlessItComesFromItsAnalysis() {
        Transaction analysed =
                Transactions.like(CASHOUT).status(Status.IN_ANALYSIS).build();

        assertThat(verdict(Guards.ofAmount(TENANT, 1_000), CASHOUT, true)).isEqualTo(GuardVerdict.PASSED);
        assertThat(verdict(Guards.ofAmount(TENANT, 999), CASHOUT, true)).isEqualTo(GuardVerdict.LIMIT_AMOUNT);
        assertThat(verdict(Guards.ofAmount(TENANT, 999), analysed, true)).isEqualTo(GuardVerdict.PASSED);
    }

    @Test
    void onlyANewCashoutAboveTheAmountNeedsAnApproval() {
        Transaction analysed =
                Transactions.like(CASHOUT).status(Status.IN_ANALYSIS).build();

        assertThat(needsApproval(1_000, CASHOUT)).isFalse();
        assertThat(needsApproval(999, CASHOUT)).isTrue();
        assertThat(needsApproval(999, analysed)).isFalse();
        assertThat(GuardSettings.NONE.needsApproval(CASHOUT)).isFalse();
    }

    private static boolean needsApproval(long aboveCents, Transaction cashout) {
        CashoutGuard guard = Guards.withApproval(Guards.none(TENANT), aboveCents);
        return GuardSettings.NONE
                .with(List.of(), List.of(new Changed(TENANT, guard, true, Instant.EPOCH)))
                .needsApproval(cashout);
    }

    /** A document counts only if the rail compares it with the key's owner, or if the key is a document itself. */
    @ParameterizedTest
    @CsvSource({
        "maria@example.com, ,            false, PASSED",
        "joao@example.com,  ,            true,  KEY_NOT_ALLOWED",
        ",                  52998224725, true,  PASSED",
        ",                  52998224725, false, KEY_NOT_ALLOWED",
        ",                  11144477735, true,  KEY_NOT_ALLOWED",
        "joao@example.com,  52998224725, true,  PASSED",
        "maria@example.com, 11144477735, false, PASSED"
    })
    void aReceiverIsAllowedByKeyOrDocument(
            @Nullable String key, @Nullable String document, boolean comparesOwner, GuardVerdict expected) {
        assertThat(CASHOUT.terms().pixKey()).isEqualTo(new PixKey(PixKey.Type.EMAIL, KEY));
        assertThat(CASHOUT.terms().payer().document()).isEqualTo(DOCUMENT);

        assertThat(verdict(Guards.ofReceivers(TENANT, setOf(key), setOf(document)), CASHOUT, comparesOwner))
                .isEqualTo(expected);
    }

    @Test
    void aDocumentAsKeyIsPinnedByItself() {
        Transaction toDocument = Transactions.like(CASHOUT)
                .pixKey(new PixKey(PixKey.Type.CPF, "11144477735"))
                .build();

        assertThat(verdict(Guards.ofReceivers(TENANT, Set.of(), Set.of("11144477735")), toDocument, false))
                .isEqualTo(GuardVerdict.PASSED);
        assertThat(verdict(Guards.ofReceivers(TENANT, Set.of(), Set.of(DOCUMENT)), toDocument, false))
                .isEqualTo(GuardVerdict.KEY_NOT_ALLOWED);
    }

    @Test
    void theGuardOfAnotherModeOrMerchantDoesNotHold() {
        assertThat(verdict(Guards.ofAmount(new Tenant(TENANT.key() + 1), 1), CASHOUT, true))
                .isEqualTo(GuardVerdict.PASSED);
    }

    /** Left out, its limits would hold for nobody after a restart. */
    @Test
    void theCashoutsOfAGuardThatCannotBeReadWaitUntilItIsSetAgain() {
        CashoutGuard guard = Guards.ofAmount(TENANT, 1_000);
        GuardSettings damaged =
                GuardSettings.NONE.with(List.of(), List.of(new Changed(TENANT, null, true, Instant.EPOCH)));

        assertThat(damaged.verdict(CASHOUT, any -> true)).isEqualTo(GuardVerdict.WAITS);
        assertThat(damaged.with(List.of(), List.of(new Changed(TENANT, guard, true, Instant.EPOCH)))
                        .verdict(CASHOUT, any -> true))
                .isEqualTo(GuardVerdict.PASSED);
    }

    private static GuardVerdict stopped(Stopped... stops) {
        return GuardSettings.NONE.with(List.of(stops), List.of()).verdict(CASHOUT, any -> true);
    }

    private static GuardVerdict verdict(CashoutGuard guard, Transaction cashout, boolean comparesOwner) {
        return GuardSettings.NONE
                .with(List.of(), List.of(new Changed(guard.tenant(), guard, true, Instant.EPOCH)))
                .verdict(cashout, any -> comparesOwner);
    }

    private static Set<String> setOf(@Nullable String value) {
        return value == null ? Set.of() : Set.of(value);
    }
}
