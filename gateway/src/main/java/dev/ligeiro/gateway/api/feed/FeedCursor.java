package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * A place in a feed: after event {@code number}. As text it is {@code cur_} and base64url, which merchants do not interpret.
 *
 * @param number 0 for the place before the first event
 */
record FeedCursor(UUID feedId, long number) {

    private static final String PREFIX = "cur_";
    private static final String EXPECTED = "expected the next_cursor of a page of your events";
    private static final int LENGTH = 3 * Long.BYTES;

    FeedCursor {
        if (number < 0) {
            throw new IllegalArgumentException("number: " + number + " (expected: >= 0)");
        }
    }

    String text() {
        byte[] bytes = ByteBuffer.allocate(LENGTH)
                .putLong(feedId.getMostSignificantBits())
                .putLong(feedId.getLeastSignificantBits())
                .putLong(number)
                .array();
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** @throws IllegalArgumentException with the expected form as its message */
    static FeedCursor parse(String text) {
        try {
            byte[] bytes =
                    Base64.getUrlDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "");
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            FeedCursor cursor = new FeedCursor(new UUID(buffer.getLong(), buffer.getLong()), buffer.getLong());
            // only the one text that stands for the place
            if (cursor.text().equals(text)) {
                return cursor;
            }
        } catch (IllegalArgumentException | BufferUnderflowException otherwise) {
            // same message as for another text of the same cursor
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    /** The answer to a cursor that this feed has not given. */
    static Problem unknown() {
        return Problem.invalid(List.of(FieldError.invalid("after", EXPECTED)));
    }
}
