package dev.ligeiro.gateway.http.request;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;

/**
 * The place where reading JSON stopped, for people: line, column and the JSON pointer (RFC 6901) of the value. It never
 * contains a value, and a pointer only when its names look like names of fields.
 */
final class JsonPlace {

    private static final int POINTER_LENGTH_MAX = 100;
    private static final Pattern FIELD_NAMES = Pattern.compile("(/[A-Za-z_][A-Za-z_0-9]*|/[0-9]{1,4})+");

    private JsonPlace() {}

    /** The place that {@code parser} has reached. */
    static String of(JsonParser parser) {
        return of(parser, null);
    }

    /** @param known null or a location without a line: the place that {@code parser} has reached */
    static String of(JsonParser parser, @Nullable TokenStreamLocation known) {
        TokenStreamLocation location = known == null || known.getLineNr() < 1 ? parser.currentTokenLocation() : known;
        String pointer = parser.streamReadContext().pathAsPointer().toString();
        boolean isSafe = pointer.length() <= POINTER_LENGTH_MAX
                && FIELD_NAMES.matcher(pointer).matches();
        return " at line " + location.getLineNr() + ", column " + location.getColumnNr()
                + (isSafe ? ", in " + pointer : "");
    }
}
