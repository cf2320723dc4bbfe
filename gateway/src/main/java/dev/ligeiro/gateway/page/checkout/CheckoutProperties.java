package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.GatewayMemoryBudget;
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
        @DefaultValue("10000") @Min(0) @Max(1_000_000) int streamsMax,
        @DefaultValue("1s") @DurationMin(millis = 100) @DurationMax(minutes = 1) Duration lookEvery) {

    /** So many pages may be told of changes at once that they take at most their part of the heap: more could stop the gateway. */
    int places(long heapBytes) {
        return (int) Math.min(
                streamsMax, GatewayMemoryBudget.checkoutPages(heapBytes) / GatewayMemoryBudget.CHECKOUT_PAGE_BYTES);
    }
}
