package dev.ligeiro.merchant;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a merchant may do at most, in the form in which it is stored.
 *
 * @param amounts the amounts of one transaction, by operation; an operation without an entry has no limit of its own
 * @param readsPerSecond requests that change nothing; null for the installation's default
 * @param writesPerSecond requests that change something; null for the installation's default
 */
public record MerchantLimits(
        Map<Operation, AmountRange> amounts, @Nullable Integer readsPerSecond, @Nullable Integer writesPerSecond) {

    public static final MerchantLimits NONE = new MerchantLimits(Map.of(), null, null);

    public MerchantLimits {
        // MongoDB stores no empty map
        amounts = amounts == null ? Map.of() : Map.copyOf(amounts);
    }

    /** The amounts that a transaction may have, without those of the installation. */
    public AmountRange amounts(Operation operation) {
        return amounts.getOrDefault(operation, AmountRange.ANY);
    }

    /** Whether each amount that these permit is permitted by {@code others} too. */
    public boolean amountsAreWithin(MerchantLimits others, Amount installationMax) {
        return Arrays.stream(Operation.values()).allMatch(operation -> {
            AmountRange own = amounts(operation);
            AmountRange other = others.amounts(operation);
            return own.min().cents() >= other.min().cents()
                    && own.max(installationMax).cents()
                            <= other.max(installationMax).cents();
        });
    }

    /** Whether a merchant with these may send no more requests than one with {@code others}, where {@code installation} has both rates. */
    public boolean ratesAreWithin(MerchantLimits others, MerchantLimits installation) {
        return rate(readsPerSecond, installation.readsPerSecond)
                        <= rate(others.readsPerSecond, installation.readsPerSecond)
                && rate(writesPerSecond, installation.writesPerSecond)
                        <= rate(others.writesPerSecond, installation.writesPerSecond);
    }

    private static int rate(@Nullable Integer own, @Nullable Integer installation) {
        return own == null ? Objects.requireNonNull(installation) : own;
    }

    /**
     * From a smallest to a largest amount, both included.
     *
     * @param minCents null for none
     * @param maxCents null for none
     */
    public record AmountRange(@Nullable Long minCents, @Nullable Long maxCents) {

        static final AmountRange ANY = new AmountRange(null, null);

        /** The smallest amount, at least one cent. */
        public Amount min() {
            return new Amount(minCents == null ? 1 : minCents);
        }

        public Amount max(Amount installationMax) {
            return maxCents == null || maxCents > installationMax.cents() ? installationMax : new Amount(maxCents);
        }
    }
}
