package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;

/**
 * An amount of Brazilian reais in whole cents, from 0 to 9,999,999,999.99. The maximum is that of a BR Code (object 54).
 *
 * @param cents the amount in cents
 */
public record Amount(@JsonValue long cents) {

    public static final Amount ZERO = new Amount(0);
    public static final Amount MAX = new Amount(999_999_999_999L);
    private static final int DECIMALS = 2;
    private static final int INTEGER_DIGITS_MAX = 10;

    @JsonCreator
    public Amount {
        if (cents < 0 || cents > 999_999_999_999L) {
            throw new IllegalArgumentException("cents: " + cents + " (expected: 0 to 999999999999)");
        }
    }

    /**
     * Converts reais to an amount without rounding: {@code 10.000} and {@code 1e2} are accepted, {@code 1.005} is not.
     *
     * @throws IllegalArgumentException if {@code decimal} is negative, above {@link #MAX} or has a third decimal other than 0;
     *     the message states the rule
     */
    public static Amount of(BigDecimal decimal) {
        if (decimal.signum() < 0) {
            throw new IllegalArgumentException("expected an amount above 0");
        }
        if (decimal.signum() == 0) {
            return ZERO;
        }
        // count integer digits by precision and scale: writing 1e999999999 as digits would need 1 GB
        if ((long) decimal.precision() - decimal.scale() > INTEGER_DIGITS_MAX) {
            throw new IllegalArgumentException("expected at most " + MAX);
        }
        return new Amount(cents(decimal));
    }

    private static long cents(BigDecimal decimal) {
        BigDecimal plain = decimal.scale() > DECIMALS ? decimal.stripTrailingZeros() : decimal;
        if (plain.scale() > DECIMALS) {
            throw new IllegalArgumentException("expected at most 2 decimals");
        }
        return plain.movePointRight(DECIMALS).longValueExact();
    }

    /** Cents with exactly two decimals: {@code -10.00}. */
    public static String decimal(long cents) {
        long fraction = Math.abs(cents % 100);
        String digits = Math.abs(cents / 100) + (fraction < 10 ? ".0" : ".") + fraction;
        return cents < 0 ? "-" + digits : digits;
    }

    /** The amount with exactly two decimals, as the API writes it: {@code 10.00}. */
    @Override
    public String toString() {
        return decimal(cents);
    }
}
