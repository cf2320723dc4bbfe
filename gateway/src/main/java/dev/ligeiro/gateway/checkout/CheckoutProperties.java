package dev.ligeiro.gateway.checkout;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
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
        @DefaultValue("10000")
                @Min(value = 0, message = CheckoutProperties.STREAMS_MAX)
                @Max(value = 1_000_000, message = CheckoutProperties.STREAMS_MAX)
                int streamsMax,
        @DefaultValue("1s")
                @DurationMin(millis = 100, message = CheckoutProperties.LOOK_EVERY)
                @DurationMax(minutes = 1, message = CheckoutProperties.LOOK_EVERY)
                Duration lookEvery) {

    /** Measured at 11.5 kB of heap (JDK 17, 2,000 pages, a browser's request headers); half of it is the HTTP request. */
    private static final long PAGE_BYTES = 12_000;

    private static final double HEAP_PART = 0.4;

    private static final String STREAMS_MAX =
            "ligeiro.checkout.streams-max: ${validatedValue} (expected: 0 to 1000000)";
    private static final String LOOK_EVERY = "ligeiro.checkout.look-every: ${validatedValue} (expected: 100ms to 1m)";

    /** So many pages may be told of changes at once that they take at most 40 % of the heap: more could stop the gateway. */
    int places(long heapBytes) {
        return (int) Math.min(streamsMax, HEAP_PART * heapBytes / PAGE_BYTES);
    }
}
