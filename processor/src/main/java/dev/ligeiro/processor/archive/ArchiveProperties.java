package dev.ligeiro.processor.archive;

import dev.ligeiro.processor.retain.RetentionProperties;
import dev.ligeiro.store.ArchiveFields;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.net.URI;
import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Which months leave MongoDB, and for where. {@code application.yml} explains each key.
 *
 * @param months a month leaves so many months after its end; null: none leaves
 * @param to the folder or bucket; null: none leaves, and none comes back
 * @param perSecond the most transactions to be read, removed or inserted in a second
 * @param perFile the most transactions of a file
 */
@Validated
@ConfigurationProperties("ligeiro.archive")
record ArchiveProperties(
        @Min(13) @Max(1_200) @Nullable Integer months,
        @Nullable String to,
        @DefaultValue("1000") @Min(1) @Max(100_000) int perSecond,
        @DefaultValue("50000") @Min(1) @Max(1_000_000) int perFile,
        @DefaultValue S3 s3) {

    /**
     * How a bucket is reached.
     *
     * @param endpoint null for that of AWS
     */
    record S3(
            @Nullable URI endpoint,
            @DefaultValue("us-east-1") @NotBlank String region,
            @DefaultValue("false") boolean pathStyle) {}

    /** Those of the shortest months in a row. */
    private static final int DAYS_PER_MONTH = 30;

    ArchiveProperties {
        if (months != null && to == null) {
            throw new IllegalArgumentException("ligeiro.archive.to: missing (expected with ligeiro.archive.months)");
        }
    }

    /**
     * Only transactions without personal data leave, so they must have lost it before.
     *
     * @throws IllegalArgumentException if the retention ends later than the month would leave, or never
     */
    ArchiveProperties requireAfter(RetentionProperties retention) {
        if (months == null) {
            return this;
        }
        Integer days = retention.days();
        long keptDays = Math.max(
                days == null ? Long.MAX_VALUE : days, retention.legalPeriod().toDays());
        if (keptDays >= (long) months * DAYS_PER_MONTH) {
            throw new IllegalArgumentException("ligeiro.archive.months: " + months
                    + " (expected: more than ligeiro.retention.days and ligeiro.retention.legal-period, which are "
                    + (days == null ? "not set" : days + " days") + " and "
                    + retention.legalPeriod().toDays() + " days)");
        }
        return this;
    }

    /** When a month is to leave; the end of time if none does. */
    Instant leavesAt(YearMonth month) {
        return months == null
                ? Instant.MAX
                : Instant.ofEpochMilli(ArchiveFields.firstMilli(month.plusMonths(months + 1L)));
    }
}
