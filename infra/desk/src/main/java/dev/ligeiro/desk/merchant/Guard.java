package dev.ligeiro.desk.merchant;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.CashoutGuard.CountLimit;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a merchant's cashouts in one mode may be, in requests and in responses. Null means no limit. */
public record Guard(
        @NotNull @Nullable Mode mode,
        @MoreThanZero @Nullable Amount dayMax,
        @MoreThanZero @Nullable Amount nightMax,
        @MoreThanZero @Nullable Amount amountMax,
        @Min(1) @Max(COUNT_MAX) @Nullable Integer countMax,
        @Min(1) @Max(WINDOW_SECONDS_MAX) @Nullable Long windowSeconds,
        @MoreThanZero @Nullable Amount approvalAbove,
        @Nullable Boolean fundsCheck,
        @Receivers(Receivers.Kind.KEYS) @Nullable List<String> allowedKeys,
        @Receivers(Receivers.Kind.DOCUMENTS) @Nullable List<String> allowedDocuments) {

    private static final int COUNT_MAX = 1_000_000;
    private static final int WINDOW_SECONDS_MAX = 31 * 24 * 3600;

    static Guard none(Mode mode) {
        return new Guard(mode, null, null, null, null, null, null, false, null, null);
    }

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

    /** @param now since when cashouts must have been counted */
    CashoutGuard stored(long merchantNumber, ZoneId zone, Instant now) {
        return new CashoutGuard(
                Tenant.of(merchantNumber, requireNonNull(mode)),
                dayMax,
                nightMax,
                amountMax,
                approvalAbove,
                countMax == null || windowSeconds == null
                        ? null
                        : new CountLimit(countMax, Duration.ofSeconds(windowSeconds)),
                Boolean.TRUE.equals(fundsCheck),
                normal(Receivers.Kind.KEYS, allowedKeys),
                normal(Receivers.Kind.DOCUMENTS, allowedDocuments),
                zone,
                now);
    }

    @AssertTrue(message = "expected with window_seconds")
    private boolean isCountMax() {
        return countMax != null || windowSeconds == null;
    }

    @AssertTrue(message = "expected with count_max")
    private boolean isWindowSeconds() {
        return windowSeconds != null || countMax == null;
    }

    private static @Nullable List<String> sorted(@Nullable Set<String> values) {
        return values == null ? null : values.stream().sorted().toList();
    }

    private static @Nullable Set<String> normal(Receivers.Kind kind, @Nullable List<String> given) {
        return given == null ? null : given.stream().map(kind::normal).collect(Collectors.toSet());
    }
}
