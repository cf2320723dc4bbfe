package dev.ligeiro.transaction;

/**
 * The operator's fee for a transaction: a share of the amount plus a fixed part.
 *
 * @param millionths the share, in millionths of the amount: 1 % is 10,000
 * @param fixed the fixed part
 */
public record Commission(long millionths, Amount fixed) {

    public static final Commission NONE = new Commission(0, Amount.ZERO);
    private static final long WHOLE = 1_000_000;

    public Commission {
        if (millionths < 0 || millionths > WHOLE) {
            throw new IllegalArgumentException("millionths: " + millionths + " (expected: 0 to 1000000)");
        }
    }

    /** The commission on {@code amount}, rounded half to even and limited to {@link Amount#MAX}. */
    public Amount on(Amount amount) {
        // at most 10^12 cents times 10^6 millionths, which fits a long
        long product = amount.cents() * millionths;
        long share = product / WHOLE;
        long rest = product % WHOLE;
        boolean up = rest * 2 > WHOLE || (rest * 2 == WHOLE && share % 2 == 1);
        return new Amount(Math.min(Amount.MAX.cents(), share + (up ? 1 : 0) + fixed.cents()));
    }
}
