package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.webhook.DeliveryId;
import java.util.Base64;
import java.util.UUID;

/** The id of a delivery as text: {@code dlv_} and base64url. It is also the cursor of a page that ends with the delivery. */
final class DeliveryKey {

    private static final String PREFIX = "dlv_";

    private DeliveryKey() {}

    static String text(DeliveryId id) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(id.bytes());
    }

    /** @throws IllegalArgumentException if {@code text} is not the id of a delivery to this endpoint */
    static DeliveryId parse(String text, UUID endpointId) {
        DeliveryId id = DeliveryId.of(
                Base64.getUrlDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : ""));
        // only the one text that stands for the id
        if (!id.endpointId().equals(endpointId) || !text(id).equals(text)) {
            throw new IllegalArgumentException("another endpoint's delivery");
        }
        return id;
    }
}
