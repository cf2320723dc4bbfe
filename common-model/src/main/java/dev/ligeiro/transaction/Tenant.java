package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * A merchant in one mode, as one number. Merchant-facing queries and their indexes start with it, so a merchant's test and live
 * data are separated in the same way as two merchants.
 *
 * @param key twice the merchant's number, plus 1 in live mode
 */
public record Tenant(@JsonValue long key) {

    private static final long MERCHANT_NUMBER_MAX = Long.MAX_VALUE / 2;

    @JsonCreator
    public Tenant {
        if (key < 0) {
            throw new IllegalArgumentException("tenant: " + key + " (expected: >= 0)");
        }
    }

    public static Tenant of(long merchantNumber, Mode mode) {
        // a larger number would overflow to the key of another merchant
        if (merchantNumber < 0 || merchantNumber > MERCHANT_NUMBER_MAX) {
            throw new IllegalArgumentException(
                    "merchantNumber: " + merchantNumber + " (expected: 0 to " + MERCHANT_NUMBER_MAX + ")");
        }
        return new Tenant(merchantNumber * 2 + (mode == Mode.LIVE ? 1 : 0));
    }

    public long merchantNumber() {
        return key / 2;
    }

    public Mode mode() {
        return key % 2 == 1 ? Mode.LIVE : Mode.TEST;
    }
}
