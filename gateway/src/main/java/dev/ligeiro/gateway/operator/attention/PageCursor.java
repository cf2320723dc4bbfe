package dev.ligeiro.gateway.operator.attention;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last item of a page, after which the next one begins, as text {@code <milliseconds>-<id>}. Lists are in the order of the time,
 * then of the id.
 */
record PageCursor(Instant at, String id) {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,15})-(.+)");

    /** @throws IllegalArgumentException with the expected form as its message */
    static PageCursor parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return new PageCursor(Instant.ofEpochMilli(Long.parseLong(matcher.group(1))), matcher.group(2));
    }

    @Override
    public String toString() {
        return at.toEpochMilli() + "-" + id;
    }
}
