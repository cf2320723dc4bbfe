package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.webhook.DeliveryId;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A valid request to list deliveries: {@code ?status=&after=}.
 *
 * @param status null for all
 * @param after null for the first page
 */
record DeliveryQuery(UUID endpointId, @Nullable StatusFilter status, @Nullable DeliveryId after) {

    static DeliveryQuery parse(UUID endpointId, MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, Set.of("status", "after"));
        StatusFilter status = given.parsed("status", StatusFilter::parse);
        DeliveryId after = given.parsed("after", text -> after(text, endpointId));
        given.orThrow();
        return new DeliveryQuery(endpointId, status, after);
    }

    private static DeliveryId after(String text, UUID endpointId) {
        try {
            return DeliveryKey.parse(text, endpointId);
        } catch (IllegalArgumentException otherwise) {
            throw new IllegalArgumentException("expected the next_cursor of a page of this endpoint's deliveries");
        }
    }
}
