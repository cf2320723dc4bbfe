package dev.ligeiro.webhook;

import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/**
 * The id of a delivery, derived from endpoint and event, so that an event that arrives twice cannot create two deliveries. The byte
 * form is endpoint id, transaction id (UUIDv7) and sequence; a reverse scan of the {@code _id} index therefore lists an endpoint's
 * deliveries by transaction, newest first.
 */
public record DeliveryId(UUID endpointId, EventId eventId) {

    public static final int LENGTH = 2 * 2 * Long.BYTES + Integer.BYTES;

    /** Then base64url. */
    private static final String PREFIX = "dlv_";

    public static DeliveryId of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException(bytes.length + " bytes (expected: " + LENGTH + ")");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        UUID endpointId = new UUID(buffer.getLong(), buffer.getLong());
        TransactionId transactionId = new TransactionId(new UUID(buffer.getLong(), buffer.getLong()));
        return new DeliveryId(endpointId, new EventId(transactionId, buffer.getInt()));
    }

    /**
     * Parses {@link #text}. No other text of the same id is accepted.
     *
     * @throws IllegalArgumentException if it is not the id of a delivery to this endpoint
     */
    public static DeliveryId parse(String text, UUID endpointId) {
        try {
            DeliveryId id =
                    of(Base64.getUrlDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : ""));
            if (id.endpointId.equals(endpointId) && id.text().equals(text)) {
                return id;
            }
        } catch (IllegalArgumentException malformed) {
            // same message as for the id of another endpoint's delivery
        }
        throw new IllegalArgumentException("expected the next_cursor of a page of this endpoint's deliveries");
    }

    /** As merchants and operators see it. It is also the cursor of a page that ends with the delivery. */
    public String text() {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
    }

    public byte[] bytes() {
        UUID transactionId = eventId.transactionId().value();
        return ByteBuffer.allocate(LENGTH)
                .putLong(endpointId.getMostSignificantBits())
                .putLong(endpointId.getLeastSignificantBits())
                .putLong(transactionId.getMostSignificantBits())
                .putLong(transactionId.getLeastSignificantBits())
                .putInt(eventId.sequence())
                .array();
    }
}
