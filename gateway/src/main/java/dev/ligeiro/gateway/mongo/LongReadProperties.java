package dev.ligeiro.gateway.mongo;

import dev.ligeiro.support.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How many long reads run at once in one gateway. {@code application.yml} explains each key.
 *
 * @param listsMax lists of transactions, which may count millions, in all
 * @param listsPerTenant of one merchant in one mode
 * @param pagesMax pages of a feed or of deliveries, of at most 1,000 documents, and other requests for webhooks, in all
 * @param pagesPerTenant of one merchant in one mode
 * @param waitMax how long a read waits for its turn
 */
@ConfigurationProperties("ligeiro.long-reads")
@Validated
public record LongReadProperties(
        @DefaultValue("8") @Bounds(key = "ligeiro.long-reads.lists-max", min = "1", max = "1000") int listsMax,
        @DefaultValue("2") @Bounds(key = "ligeiro.long-reads.lists-per-tenant", min = "1", max = "1000")
                int listsPerTenant,
        @DefaultValue("16") @Bounds(key = "ligeiro.long-reads.pages-max", min = "1", max = "1000") int pagesMax,
        @DefaultValue("4") @Bounds(key = "ligeiro.long-reads.pages-per-tenant", min = "1", max = "1000")
                int pagesPerTenant,
        @DefaultValue("2s") @Bounds(key = "ligeiro.long-reads.wait-max", min = "0s", max = "2s") Duration waitMax) {

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
