package dev.ligeiro.gateway.api.feed;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/**
 * A place in a feed: after event {@code number}. As text it is {@code cur_} and base64url, which merchants do not interpret.
 *
 * @param number 0 for the place before the first event
 */
record FeedCursor(UUID feedId, long number) {

    private static final String PREFIX = "cur_";
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

    /** @throws IllegalArgumentException if {@code text} is not the text of a cursor */
    static FeedCursor parse(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "");
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException(bytes.length + " bytes (expected: " + LENGTH + ")");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        FeedCursor cursor = new FeedCursor(new UUID(buffer.getLong(), buffer.getLong()), buffer.getLong());
        // only the one text that stands for the place
        if (!cursor.text().equals(text)) {
            throw new IllegalArgumentException("another text of the same cursor");
        }
        return cursor;
    }
}
