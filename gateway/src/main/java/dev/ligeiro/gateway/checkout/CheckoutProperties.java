package dev.ligeiro.gateway.checkout;

import dev.ligeiro.support.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of open checkout pages. {@code application.yml} explains each key.
 *
 * @param streamsMax the most pages of this gateway that are told of changes at once
 * @param lookEvery the shortest interval between two looks at their statuses
 */
@ConfigurationProperties("ligeiro.checkout")
@Validated
record CheckoutProperties(
        @DefaultValue("10000") @Bounds(key = "ligeiro.checkout.streams-max", min = "0", max = "1000000") int streamsMax,
        @DefaultValue("1s") @Bounds(key = "ligeiro.checkout.look-every", min = "100ms", max = "1m")
                Duration lookEvery) {

    /** Measured at 11.5 kB of heap (JDK 17, 2,000 pages, a browser's request headers); half of it is the HTTP request. */
    private static final long PAGE_BYTES = 12_000;

    private static final double HEAP_PART = 0.4;

    /** So many pages may be told of changes at once that they take at most 40 % of the heap: more could stop the gateway. */
    int places(long heapBytes) {
        return (int) Math.min(streamsMax, HEAP_PART * heapBytes / PAGE_BYTES);
    }
}
