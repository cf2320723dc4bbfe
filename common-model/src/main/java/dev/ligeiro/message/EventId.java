package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.TransactionId;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The id of an event, derived from its transaction and sequence: an event that is sent again has the same id. It is also the
 * {@code webhook-id} of every attempt, and contains no dot because Standard Webhooks signs {@code id.timestamp.body}.
 *
 * @param sequence the number of the transaction's change, from 1
 */
public record EventId(TransactionId transactionId, int sequence) {

    private static final String PREFIX = "evt_";
    private static final int HEX_LENGTH = 32;
    private static final int SEQUENCE_START = PREFIX.length() + HEX_LENGTH + 1;
    private static final Pattern FORM = Pattern.compile("evt_[0-9a-f]{32}_[1-9][0-9]{0,9}");

    public EventId {
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence: " + sequence + " (expected: >= 1)");
        }
    }

    /** The events by which a cashout may have gone to its rail: the second, or after an analysis the third. */
    public static Stream<EventId> ofSubmission(TransactionId cashout) {
        return Stream.of(new EventId(cashout, 2), new EventId(cashout, 3));
    }

    /**
     * Parses the text of {@link #toString}. No other text of the same id is accepted, so ids can be compared as text.
     *
     * @throws IllegalArgumentException for any other text
     */
    @JsonCreator
    public static EventId parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " (expected: evt_, 32 hex digits, _ and a number)");
        }
        UUID uuid = new UUID(
                Long.parseUnsignedLong(text, PREFIX.length(), PREFIX.length() + HEX_LENGTH / 2, 16),
                Long.parseUnsignedLong(text, PREFIX.length() + HEX_LENGTH / 2, SEQUENCE_START - 1, 16));
        return new EventId(new TransactionId(uuid), Integer.parseInt(text, SEQUENCE_START, text.length(), 10));
    }

    @JsonValue
    @Override
    public String toString() {
        return PREFIX + transactionId.hex() + '_' + sequence;
    }
}
