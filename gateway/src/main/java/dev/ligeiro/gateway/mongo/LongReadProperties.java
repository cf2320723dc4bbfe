package dev.ligeiro.gateway.mongo;

import java.time.Duration;
import org.hibernate.validator.constraints.Range;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How many long reads run at once in one gateway. {@code application.yml} explains each key.
 *
 * @param listsMax lists of transactions, which may count millions, in all
 * @param listsPerTenant of one merchant in one mode
 * @param pagesMax pages of a feed or of deliveries, of at most 1,000 documents, in all
 * @param pagesPerTenant of one merchant in one mode
 * @param waitMax how long a read waits for its turn
 */
@ConfigurationProperties("ligeiro.long-reads")
@Validated
public record LongReadProperties(
        @DefaultValue("8")
                @Range(min = 1, max = 1_000, message = "ligeiro.long-reads.lists-max: " + LongReadProperties.COUNT)
                int listsMax,
        @DefaultValue("2")
                @Range(
                        min = 1,
                        max = 1_000,
                        message = "ligeiro.long-reads.lists-per-tenant: " + LongReadProperties.COUNT)
                int listsPerTenant,
        @DefaultValue("16")
                @Range(min = 1, max = 1_000, message = "ligeiro.long-reads.pages-max: " + LongReadProperties.COUNT)
                int pagesMax,
        @DefaultValue("4")
                @Range(
                        min = 1,
                        max = 1_000,
                        message = "ligeiro.long-reads.pages-per-tenant: " + LongReadProperties.COUNT)
                int pagesPerTenant,
        @DefaultValue("2s")
                @DurationMin(message = LongReadProperties.WAIT)
                @DurationMax(seconds = 2, message = LongReadProperties.WAIT)
                Duration waitMax) {

    static final String COUNT = "${validatedValue} (expected: 1 to 1000)";
    static final String WAIT = "ligeiro.long-reads.wait-max: ${validatedValue} (expected: 0s to 2s)";

    /** For the rows of a page and for the number of older ones, a list reads kept counts, versions and MongoDB's time at the same time. */
    private static final int LIST_CONNECTIONS = 6;

    /** Counts that run in the background, of all tenants. */
    public static final int BACKGROUND_COUNTS_MAX = 8;

    /** A background count runs so many queries at once. */
    private static final int BACKGROUND_CONNECTIONS = 2;

    /** Reads for exports, of all tenants; each can keep half a core of the gateway busy. */
    public static final int EXPORT_READS_MAX = 2;

    /** Replays of deliveries and the operator's lists also read over these connections, one at a time. */
    private static final int OTHER_CONNECTIONS = 4;

    /** Enough that a read which has its turn never waits for a connection. */
    int connectionsMax() {
        return listsMax * LIST_CONNECTIONS
                + BACKGROUND_COUNTS_MAX * BACKGROUND_CONNECTIONS
                + pagesMax
                + EXPORT_READS_MAX
                + OTHER_CONNECTIONS;
    }
}
