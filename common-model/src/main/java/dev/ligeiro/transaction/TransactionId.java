package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The id of a transaction: a UUIDv7 (RFC 9562 §5.7), so that ids sort by creation time to the millisecond and carry it.
 *
 * @param value the UUID, of version 7 when made here
 */
public record TransactionId(UUID value) implements Comparable<TransactionId> {

    private static final int TEXT_LENGTH = 36;

    /** A new id, unguessable, that carries {@code createdAt} cut to the millisecond. */
    public static TransactionId at(Instant createdAt) {
        return new TransactionId(UuidV7.at(createdAt.toEpochMilli()));
    }

    /** The id a path or a query names, or empty when the text does not have the shape 8-4-4-4-12. */
    public static Optional<TransactionId> parse(String text) {
        if (text.length() != TEXT_LENGTH) {
            return Optional.empty();
        }
        try {
            UUID value = UUID.fromString(text);
            return value.toString().equalsIgnoreCase(text) ? Optional.of(new TransactionId(value)) : Optional.empty();
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    @JsonCreator
    static TransactionId of(String text) {
        return parse(text)
                .orElseThrow(() -> new IllegalArgumentException(text + " (expected: a UUID, 8-4-4-4-12 hex digits)"));
    }

    /** When the transaction was created, to the millisecond. */
    public Instant createdAt() {
        return Instant.ofEpochMilli(UuidV7.epochMilli(value));
    }

    @Override
    public int compareTo(TransactionId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @JsonValue
    @Override
    public String toString() {
        return value.toString();
    }
}
