package dev.ligeiro.desk.merchant;

import dev.ligeiro.desk.merchant.ReadableText.Kind;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.CashoutGuard.CountLimit;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a merchant's cashouts in one mode may be, in requests and in responses. Null means no limit. An empty list is refused: it could mean that
 * all or that none are allowed.
 */
public record Guard(
        @NotNull Mode mode,
        @MoreThanZero @Nullable Amount dayMax,
        @MoreThanZero @Nullable Amount nightMax,
        @MoreThanZero @Nullable Amount amountMax,
        @Min(1) @Max(COUNT_MAX) @Nullable Integer countMax,
        @Min(1) @Max(WINDOW_SECONDS_MAX) @Nullable Long windowSeconds,
        @MoreThanZero @Nullable Amount approvalAbove,
        @Nullable Boolean fundsCheck,
        @Size(min = 1, max = 1_000, message = SOME) @ReadableText(Kind.PIX_KEY) @Nullable List<String> allowedKeys,
        @Size(min = 1, max = 1_000, message = SOME) @ReadableText(Kind.TAX_ID) @Nullable
                List<String> allowedDocuments) {

    private static final String SOME = "expected 1 to 1000, or no such field";
    private static final int COUNT_MAX = 1_000_000;
    private static final int WINDOW_SECONDS_MAX = 31 * 24 * 3600;

    static Guard of(CashoutGuard guard) {
        CountLimit count = guard.count();
        return new Guard(
                guard.tenant().mode(),
                guard.dayMax(),
                guard.nightMax(),
                guard.amountMax(),
                count == null ? null : count.max(),
                count == null ? null : count.window().toSeconds(),
                guard.approvalAbove(),
                guard.fundsCheck(),
                sorted(guard.keys()),
                sorted(guard.documents()));
    }

    private static @Nullable List<String> sorted(@Nullable Collection<String> values) {
        return values == null ? null : values.stream().sorted().toList();
    }

    /** @param now since when cashouts must have been counted */
    CashoutGuard stored(long merchantNumber, ZoneId zone, Instant now) {
        return new CashoutGuard(
                Tenant.of(merchantNumber, mode),
                dayMax,
                nightMax,
                amountMax,
                approvalAbove,
                countMax == null || windowSeconds == null
                        ? null
                        : new CountLimit(countMax, Duration.ofSeconds(windowSeconds)),
                Boolean.TRUE.equals(fundsCheck),
                set(Kind.PIX_KEY.normal(allowedKeys)),
                set(Kind.TAX_ID.normal(allowedDocuments)),
                zone,
                now);
    }

    private static @Nullable Set<String> set(@Nullable List<String> values) {
        return values == null ? null : Set.copyOf(values);
    }

    @AssertTrue(message = "expected with window_seconds")
    private boolean isCountMax() {
        return countMax != null || windowSeconds == null;
    }

    @AssertTrue(message = "expected with count_max")
    private boolean isWindowSeconds() {
        return windowSeconds != null || countMax == null;
    }
}
