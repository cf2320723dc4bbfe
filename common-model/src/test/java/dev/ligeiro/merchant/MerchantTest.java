package dev.ligeiro.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expiry of keys, limits and scopes. */
class MerchantTest {

    private static final Instant MADE = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-03-10T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        ",                    2026-03-10T01:00:00Z",
        "2026-03-10T00:30:00Z, 2026-03-10T00:30:00Z",
        "2026-03-31T00:00:00Z, 2026-03-10T01:00:00Z",
    })
    void theOldKeyEndsAfterTheOverlapButNeverLaterThanBefore(@Nullable Instant expiry, Instant end) {
        assertThat(key(expiry).rotatedUntil(NOW.plusSeconds(3_600), NOW).expiresAt())
                .isEqualTo(end);
    }

    @ParameterizedTest
    @CsvSource({
        ",                     ,                     ",
        "2026-03-31T00:00:00Z, ,                     2026-04-09T00:00:00Z",
        "2026-03-31T00:00:00Z, 2026-05-01T00:00:00Z, 2026-05-01T00:00:00Z",
        ",                     2026-05-01T00:00:00Z, 2026-05-01T00:00:00Z",
        "9999-12-31T00:00:00Z, ,                     9999-12-31T23:59:59.999Z",
    })
    void theNewKeyKeepsTheLifetimeUnlessAnExpiryIsGiven(
            @Nullable Instant expiry, @Nullable Instant given, @Nullable Instant end) {
        assertThat(newExpiry(key(expiry), given)).isEqualTo(end);
    }

    /** With the fault, the second new key of an operator who had lost the first one expired a day later. */
    @ParameterizedTest
    @CsvSource({
        ",                     ",
        "2026-03-31T00:00:00Z, 2026-04-09T00:00:00Z",
        "2026-03-10T06:00:00Z, 2026-03-19T06:00:00Z",
    })
    void aKeyThatWasRotatedBeforeGivesItsNewKeyTheLifetimeItWasMadeFor(
            @Nullable Instant expiry, @Nullable Instant end) {
        ApiKey rotated = key(expiry)
                .rotatedUntil(NOW.plus(Duration.ofHours(12)), NOW.minusSeconds(60))
                .rotatedUntil(NOW.plus(Duration.ofHours(1)), NOW.minusSeconds(30));

        assertThat(newExpiry(rotated, null)).isEqualTo(end);
    }

    private static @Nullable Instant newExpiry(ApiKey old, @Nullable Instant given) {
        return old.rotated(UUID.randomUUID(), "sk_test_" + "N".repeat(43), given, NOW)
                .expiresAt();
    }

    private static ApiKey key(@Nullable Instant expiresAt) {
        UUID id = UUID.randomUUID();
        return new ApiKey(
                id, "hash", null, id, null, Mode.TEST, List.of(), null, expiresAt, null, null, null, null, null, MADE);
    }

    private static final Amount INSTALLATION_MAX = new Amount(10_000);

    @ParameterizedTest
    @CsvSource({", , 1, 10000", "500, , 500, 10000", ", 900, 1, 900", "500, 10000, 500, 10000", ", 10001, 1, 10000"})
    void theInstallationsMaximumHoldsForEveryMerchant(@Nullable Long min, @Nullable Long max, long from, long to) {
        AmountRange range = new AmountRange(min, max);

        assertThat(range.min()).isEqualTo(new Amount(from));
        assertThat(range.max(INSTALLATION_MAX)).isEqualTo(new Amount(to));
    }

    @Test
    void eachOperationHasItsOwnAmounts() {
        AmountRange range = new AmountRange(1L, 2L);
        MerchantLimits limits = new MerchantLimits(Map.of(Operation.CASHOUT, range), null, null);

        assertThat(limits.amounts(Operation.CASHOUT)).isEqualTo(range);
        assertThat(limits.amounts(Operation.CASHIN)).isEqualTo(AmountRange.ANY);
    }

    @Test
    void aCodeOfALaterVersionPermitsNothing() {
        assertThat(Scope.permitted(List.of("refunds:write"))).isEmpty();
    }
}
