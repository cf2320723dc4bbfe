package dev.ligeiro.gateway.store;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How many long reads run at once in one gateway, and how much of MongoDB they use. {@code application.yml} explains each key.
 *
 * @param listsMax lists of transactions, which may count millions, in all
 * @param listsPerTenant of one merchant in one mode
 * @param pagesMax pages of a feed or of deliveries, of at most 1,000 documents, in all; and as many other requests for webhooks
 * @param pagesPerTenant of one merchant in one mode
 * @param waitMax how long a read waits for its turn
 * @param queriesMax queries in MongoDB at once, of all these reads and of background counts; further ones wait, in order
 * @param rest the pause after each list query while several lists run, as a multiple of that query's duration; 0: none
 */
@ConfigurationProperties("ligeiro.long-reads")
@Validated
public record LongReadProperties(
        @DefaultValue("8") @Min(1) @Max(1000) int listsMax,
        @DefaultValue("2") @Min(1) @Max(1000) int listsPerTenant,
        @DefaultValue("16") @Min(1) @Max(1000) int pagesMax,
        @DefaultValue("4") @Min(1) @Max(1000) int pagesPerTenant,
        @DefaultValue("2s") @DurationMin(message = "must be at least 0s") @DurationMax(seconds = 2) Duration waitMax,
        @DefaultValue("4") @Min(1) @Max(1000) int queriesMax,
        @DefaultValue("3") @Min(0) @Max(10) int rest) {

    /** Counts that run in the background, of all tenants. */
    public static final int BACKGROUND_COUNTS_MAX = 8;

    /** Reads for exports, of all tenants; each can keep half a core of the gateway busy. */
    public static final int EXPORT_READS_MAX = 2;
}
