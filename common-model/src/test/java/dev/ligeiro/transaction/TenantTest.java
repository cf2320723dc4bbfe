package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TenantTest {

    @ParameterizedTest(name = "merchant {0} in {1} mode has key {2}")
    @CsvSource({
        "0, TEST, 0",
        "0, LIVE, 1",
        "7, TEST, 14",
        "7, LIVE, 15",
        "4611686018427387903, LIVE, 9223372036854775807"
    })
    void isTheMerchantAndTheModeInOneNumber(long merchantNumber, Mode mode, long key) {
        Tenant tenant = Tenant.of(merchantNumber, mode);

        assertThat(tenant.mode()).isEqualTo(mode);
        assertThat(tenant.key()).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 2 + 1, 0x8000_0000_0000_0000L})
    void refusesAMerchantNumberThatHasNoKey(long merchantNumber) {
        assertThatThrownBy(() -> Tenant.of(merchantNumber, Mode.LIVE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("merchantNumber: " + merchantNumber + " (expected: 0 to 4611686018427387903)");
    }

    @Test
    void refusesANegativeKey() {
        assertThatThrownBy(() -> new Tenant(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tenant: -1 (expected: >= 0)");
    }
}
