package dev.ligeiro.dispatcher.http;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The first kilobyte of a response's body. The connection's thread adds to it, and a time-out may read it meanwhile. */
final class BodyStart {

    private static final int BYTES_MAX = DispatcherMemoryBudget.KEPT_RESPONSE_BYTES_MAX;

    private final ByteBuffer bytes = ByteBuffer.allocate(BYTES_MAX);

    /** Copies what fits; the position of {@code body} stays. */
    synchronized void add(ByteBuffer body) {
        bytes.put(body.slice().limit(Math.min(body.remaining(), bytes.remaining())));
    }

    /**
     * What was added, as UTF-8 with U+FFFD for what is none, without control characters but tab and line feed. It has at most a kilobyte as
     * UTF-8 too; a character that the end has cut is left out. Null if nothing is left.
     */
    synchronized @Nullable String text() {
        StringBuilder text = new StringBuilder();
        int left = BYTES_MAX;
        for (int character : decoded().codePoints().toArray()) {
            if (Character.isISOControl(character) && character != '\t' && character != '\n') {
                continue;
            }
            left -= Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
            if (left < 0) {
                break;
            }
            text.appendCodePoint(character);
        }
        return text.isEmpty() ? null : text.toString();
    }

    private String decoded() {
        CharBuffer decoded = CharBuffer.allocate(BYTES_MAX);
        StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .decode(bytes.duplicate().flip(), decoded, bytes.hasRemaining());
        return decoded.flip().toString();
    }
}
