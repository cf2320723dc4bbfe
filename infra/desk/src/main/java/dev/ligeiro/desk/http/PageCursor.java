package dev.ligeiro.desk.http;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The last item of a page, in a list in the order of a time, then of the id; as text {@code <milliseconds>-<id>}. */
public record PageCursor(Instant at, String id) {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,15})-(.+)");
    private static final String EXPECTED = "expected the next_cursor of a page";

    /**
     * The place in the parameter {@code after}; null without it.
     *
     * @throws Problem 422 for another form
     */
    public static @Nullable PageCursor parse(@Nullable String after) {
        if (after == null) {
            return null;
        }
        Matcher matcher = FORM.matcher(after);
        if (!matcher.matches()) {
            throw Problem.invalid("after", EXPECTED);
        }
        return new PageCursor(Instant.ofEpochMilli(Long.parseLong(matcher.group(1))), matcher.group(2));
    }

    /** @throws Problem 422 if the id is none */
    public UUID uuid() {
        return TransactionId.parse(id)
                .orElseThrow(() -> Problem.invalid("after", EXPECTED))
                .value();
    }

    @Override
    public String toString() {
        return at.toEpochMilli() + "-" + id;
    }
}
