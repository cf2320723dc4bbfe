package dev.ligeiro.dispatcher.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a response, reduced to the lines that the client needs. HttpCore keeps each line until the head is complete, and refuses a
 * long line or many lines, although the status line has said whether the webhook was received. Heads of 1xx responses are left out.
 */
final class ResponseHead {

    /** Where the body ends, whether the connection stays open, and when to send again. */
    private static final Set<String> NEEDED =
            Set.of("connection", "content-length", "keep-alive", "retry-after", "transfer-encoding");

    private static final int NAME_MAX = 17;
    private static final int BYTES_START = 256;
    /** Usual heads need less than 200 bytes. */
    private static final int BYTES_MAX = 4_096;
    /** Room for the name of the next line. */
    private static final int KEPT_MAX = BYTES_MAX - 64;

    private static final byte[] CUT = "Connection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/\\d\\.\\d +(\\d{3})(\\D.*)?", Pattern.DOTALL);
    /** The 1xx that nothing follows. */
    private static final String SWITCHING_PROTOCOLS = "101";

    /** The kept lines, then the current one. */
    private byte[] bytes = new byte[BYTES_START];

    private int length;
    /** Where the current line begins in {@link #bytes}: 0 for the status line. */
    private int line;
    /** Whether the rest of the current line is dropped. */
    private boolean skips;
    /** Whether the line before was kept: a folded line continues it (RFC 9112 §5.2). */
    private boolean keptBefore;

    private boolean informational;
    private boolean complete;

    /** Forgets the head before. */
    void begin() {
        length = 0;
        line = 0;
        skips = false;
        informational = false;
        complete = false;
    }

    /** Whether what follows is the body. */
    boolean isComplete() {
        return complete;
    }

    /** Takes {@code received} up to the end of the head. */
    void take(ByteBuffer received) throws IOException {
        while (!complete && received.hasRemaining()) {
            take(received.get());
        }
    }

    /** The reduced head, for HttpCore. */
    ByteBuffer reduced() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /** Ends a head that is too long. False without a final status line, which is its result. */
    boolean cut() {
        if (line == 0 || informational) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, line + CUT.length);
        System.arraycopy(CUT, 0, bytes, line, CUT.length);
        length = bytes.length;
        complete = true;
        return true;
    }

    private void take(byte next) throws IOException {
        if (!skips) {
            append(next);
        }
        if (next == '\n') {
            endLine();
        }
    }

    private void append(byte next) throws IOException {
        if (length == BYTES_MAX) {
            if (line == 0 || isNeeded()) {
                throw new IOException("response head: a line of more than " + BYTES_MAX + " bytes");
            }
            length = line;
            skips = true;
            return;
        }
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(BYTES_MAX, 2 * length));
        }
        bytes[length++] = next;
    }

    private void endLine() throws IOException {
        if (skips) {
            skips = false;
            keptBefore = false;
        } else if (isEmptyLine()) {
            endHead();
        } else {
            keptBefore = line == 0 || isNeeded();
            if (line == 0) {
                readStatus();
            }
            length = keptBefore ? length : line;
            line = length;
        }
        if (line > KEPT_MAX) {
            throw new IOException("response head: more than " + KEPT_MAX + " bytes of lines that are needed");
        }
    }

    private boolean isEmptyLine() {
        return length - line == 1 || length - line == 2 && bytes[line] == '\r';
    }

    /** An empty line before the status line is ignored (RFC 9112 §2.2). */
    private void endHead() {
        if (line == 0 || informational) {
            begin();
        } else {
            complete = true;
        }
    }

    /** HttpCore reports what is no status line. */
    private void readStatus() {
        Matcher status = STATUS_LINE.matcher(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        complete = !status.matches();
        informational =
                !complete && status.group(1).startsWith("1") && !status.group(1).equals(SWITCHING_PROTOCOLS);
    }

    private boolean isNeeded() {
        if (length > line && (bytes[line] == ' ' || bytes[line] == '\t')) {
            return keptBefore;
        }
        String start = new String(bytes, line, Math.min(NAME_MAX + 1, length - line), StandardCharsets.ISO_8859_1);
        int colon = start.indexOf(':');
        return colon > 0 && NEEDED.contains(start.substring(0, colon).toLowerCase(Locale.ROOT));
    }
}
