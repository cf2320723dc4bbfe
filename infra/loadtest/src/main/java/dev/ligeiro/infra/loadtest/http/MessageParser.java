package dev.ligeiro.infra.loadtest.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads one HTTP/1.1 message after the other from the pieces in which they arrive: just the head and the length of the body, which
 * {@code Content-Length} has to give (a 204 has none). Keeps the first bytes of a message and reuses their array: what
 * {@link #bytes} gives is good until the next {@link #reset}.
 */
public final class MessageParser {

    private static final byte[] CONTENT_LENGTH = Bytes.ascii("content-length");
    private static final int NO_HEAD = -1;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int NO_CONTENT = 204;

    private final int keptMax;
    private byte[] kept = new byte[4096];
    private int keptLength;
    private long length;
    private int headLength = NO_HEAD;
    private long bodyLength;

    /** @param keptMax how many bytes of a message stay readable; its head has to fit */
    public MessageParser(int keptMax) {
        this.keptMax = keptMax;
    }

    /**
     * Takes a piece up.
     *
     * @return whether the message is complete
     * @throws MalformedMessageException when the bytes are no message, or more than one
     */
    public boolean accept(ByteBuffer piece) {
        length += piece.remaining();
        keep(piece);
        if (headLength == NO_HEAD && !readHead()) {
            return false;
        }
        long expected = headLength + bodyLength;
        if (length > expected) {
            throw new MalformedMessageException((length - expected) + " bytes after the end of a message");
        }
        return length == expected;
    }

    /** Ready for the next message. */
    public void reset() {
        keptLength = 0;
        length = 0;
        headLength = NO_HEAD;
        bodyLength = 0;
    }

    /** Whether part of a message has come. */
    public boolean isStarted() {
        return length > 0;
    }

    /** The status code of a response. */
    public int status() {
        return (int) Bytes.parseDigits(kept, STATUS_AT, STATUS_AT + 3);
    }

    /** The message from its first byte on, up to {@link #keptLength}. */
    public byte[] bytes() {
        return kept;
    }

    public int keptLength() {
        return keptLength;
    }

    /** Where the body starts. */
    public int headLength() {
        return headLength;
    }

    /** In bytes, those that were not kept included. */
    public long bodyLength() {
        return bodyLength;
    }

    /** Where the value of a header starts, -1 when it is not there. */
    public int header(byte[] lowerCaseName) {
        int line = Bytes.endOfLine(kept, 0, headLength) + 2;
        while (line < headLength - 2) {
            if (Bytes.startsWithIgnoringCase(kept, line, headLength, lowerCaseName)
                    && kept[line + lowerCaseName.length] == ':') {
                return Bytes.skipSpaces(kept, line + lowerCaseName.length + 1);
            }
            line = Bytes.endOfLine(kept, line, headLength) + 2;
        }
        return -1;
    }

    /** Where the header's value that starts at {@code valueAt} ends. */
    public int endOfHeader(int valueAt) {
        return Bytes.endOfLine(kept, valueAt, headLength);
    }

    private void keep(ByteBuffer piece) {
        int taken = Math.min(piece.remaining(), keptMax - keptLength);
        if (kept.length < keptLength + taken) {
            kept = Arrays.copyOf(kept, Math.min(keptMax, Math.max(keptLength + taken, 2 * kept.length)));
        }
        piece.get(kept, keptLength, taken);
        keptLength += taken;
        piece.position(piece.limit());
    }

    private boolean readHead() {
        int end = Bytes.endOfHead(kept, keptLength);
        if (end < 0) {
            if (keptLength == keptMax) {
                throw new MalformedMessageException("a head of more than " + keptMax + " bytes");
            }
            return false;
        }
        headLength = end;
        bodyLength = readBodyLength();
        return true;
    }

    private long readBodyLength() {
        int value = header(CONTENT_LENGTH);
        if (value >= 0) {
            return Bytes.parseDigits(kept, value, endOfHeader(value));
        }
        boolean isResponse = kept[0] == 'H';
        if (isResponse && status() != NO_CONTENT) {
            throw new MalformedMessageException("no Content-Length in an answer with status " + status());
        }
        return 0;
    }
}
