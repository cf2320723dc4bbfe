package dev.ligeiro.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MerchantLimitsTest {

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
}
