package dev.ligeiro.webhook;

import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The id of a delivery, derived from endpoint and event, so that an event that arrives twice cannot create two deliveries. The byte
 * form is endpoint id, transaction id (UUIDv7) and sequence; a reverse scan of the {@code _id} index therefore lists an endpoint's
 * deliveries by transaction, newest first.
 */
public record DeliveryId(UUID endpointId, EventId eventId) {

    public static final int LENGTH = 2 * 2 * Long.BYTES + Integer.BYTES;

    public static DeliveryId of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException(bytes.length + " bytes (expected: " + LENGTH + ")");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        UUID endpointId = new UUID(buffer.getLong(), buffer.getLong());
        TransactionId transactionId = new TransactionId(new UUID(buffer.getLong(), buffer.getLong()));
        return new DeliveryId(endpointId, new EventId(transactionId, buffer.getInt()));
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
