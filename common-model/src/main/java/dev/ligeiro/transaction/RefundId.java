package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * The id of a refund: a UUIDv7 (RFC 9562 §5.7) chosen by the gateway, so it is fixed before the rail is asked to move the money back. For a
 * refund that the rail made by itself, a hash of the rail's id.
 */
public record RefundId(UUID value) {

    /** A new, unguessable id. */
    public static RefundId at(Instant requestedAt) {
        return new RefundId(UuidV7.at(requestedAt.toEpochMilli()));
    }

    /** That of a refund which a rail made by itself: the same for the same movement, however often the rail reports it. */
    public static RefundId ofRail(String movementId) {
        return new RefundId(UUID.nameUUIDFromBytes(movementId.getBytes(StandardCharsets.UTF_8)));
    }

    /** That of the refund of a payment by another payer: a transaction has one at most, however often the mismatch is found. */
    public static RefundId ofPayerMismatch(TransactionId transaction) {
        return ofRail(Entry.PayerMismatch.REASON + "/" + transaction);
    }

    /** When the merchant asked for it, in milliseconds precision; of a refund that the rail made by itself it means nothing. */
    public Instant requestedAt() {
        return Instant.ofEpochMilli(UuidV7.epochMilli(value));
    }

    @JsonCreator
    static RefundId of(String text) {
        return new RefundId(UUID.fromString(text));
    }

    @JsonValue
    @Override
    public String toString() {
        return value.toString();
    }
}
