package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The id of a transaction: a UUIDv7 (RFC 9562 §5.7). Ids hold the creation time in milliseconds and sort by it.
 *
 * @param value a UUID of version 7 if it comes from {@link #at}; {@link #parse} accepts every version
 */
public record TransactionId(UUID value) implements Comparable<TransactionId> {

    private static final int TEXT_LENGTH = 36;
    private static final int HEX_LENGTH = 32;

    /** A new, unguessable id that holds {@code createdAt} truncated to the millisecond. */
    public static TransactionId at(Instant createdAt) {
        return new TransactionId(UuidV7.at(createdAt.toEpochMilli()));
    }

    /** Parses a UUID of 8-4-4-4-12 hex digits, upper or lower case; empty for any other text. */
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

    public Instant createdAt() {
        return Instant.ofEpochMilli(UuidV7.epochMilli(value));
    }

    /** The 32 hex digits: the {@code txid} under which the bank has the charge of a live cashin. */
    public String hex() {
        String text = toString();
        return new StringBuilder(HEX_LENGTH)
                .append(text, 0, 8)
                .append(text, 9, 13)
                .append(text, 14, 18)
                .append(text, 19, 23)
                .append(text, 24, TEXT_LENGTH)
                .toString();
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
