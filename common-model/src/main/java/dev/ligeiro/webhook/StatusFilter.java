package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The values of the query parameter {@code status}, and the statuses of deliveries that each selects. */
public enum StatusFilter implements Coded {
    SCHEDULED(DeliveryStatus.SCHEDULED),
    DELIVERED(DeliveryStatus.DELIVERED),
    EXHAUSTED(DeliveryStatus.EXHAUSTED),
    CANCELED(DeliveryStatus.CANCELED),
    /** Deliveries that the endpoint has missed. */
    UNDELIVERED(DeliveryStatus.EXHAUSTED, DeliveryStatus.CANCELED);

    private final Set<String> statuses;

    StatusFilter(DeliveryStatus... statuses) {
        this.statuses = Arrays.stream(statuses).map(DeliveryStatus::code).collect(Collectors.toUnmodifiableSet());
    }

    public Set<String> statuses() {
        return statuses;
    }

    /** @throws IllegalArgumentException with the expected values as its message */
    public static StatusFilter parse(String code) {
        List<String> codes =
                Arrays.stream(values()).map(StatusFilter::code).sorted().toList();
        return Codes.find(StatusFilter.class, code)
                .orElseThrow(() -> new IllegalArgumentException("expected one of " + codes));
    }
}
