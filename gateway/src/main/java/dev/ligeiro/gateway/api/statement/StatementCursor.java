package dev.ligeiro.gateway.api.statement;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/**
 * A place in a statement: after an entry. It has the balance there, so that the next page need not add up the entries before it. As text it
 * is {@code cur_} and base64url, which merchants do not interpret; a changed one shows its sender wrong balances, and nothing of others.
 *
 * @param at the time of the entry, in milliseconds precision
 * @param id the entry's id
 * @param balance in cents
 */
record StatementCursor(Instant at, String id, long balance) {

    static final String EXPECTED = "expected the next_cursor of a page of these days";

    private static final String PREFIX = "cur_";

    String text() {
        byte[] idBytes = id.getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES + idBytes.length)
                .putLong(at.toEpochMilli())
                .putLong(balance)
                .put(idBytes)
                .array();
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** @throws IllegalArgumentException with the expected form as its message */
    static StatementCursor parse(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(
                    Base64.getUrlDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : ""));
            Instant at = Instant.ofEpochMilli(bytes.getLong());
            long balance = bytes.getLong();
            StatementCursor cursor = new StatementCursor(
                    at, StandardCharsets.US_ASCII.decode(bytes).toString(), balance);
            // only the one text that stands for the place
            if (cursor.text().equals(text)) {
                return cursor;
            }
        } catch (IllegalArgumentException | BufferUnderflowException | DateTimeException | ArithmeticException other) {
            // same message as for another text of the same cursor
        }
        throw new IllegalArgumentException(EXPECTED);
    }
}
