package dev.ligeiro.infra.loadtest.receive;

import dev.ligeiro.infra.loadtest.http.Bytes;
import dev.ligeiro.infra.loadtest.http.MessageParser;
import java.nio.charset.StandardCharsets;

/** Part of a message: {@code [from, to)} of its bytes. */
record Slice(byte[] bytes, int from, int to) {

    /** The value of a header, empty when it is not there. */
    static Slice header(MessageParser message, byte[] lowerCaseName) {
        int at = message.header(lowerCaseName);
        return at < 0 ? new Slice(message.bytes(), 0, 0) : new Slice(message.bytes(), at, message.endOfHeader(at));
    }

    static Slice body(MessageParser message) {
        return new Slice(message.bytes(), message.headLength(), message.keptLength());
    }

    /** The text of a JSON string member, without its quotes and as it is escaped; empty when there is none. */
    Slice text(byte[] quotedNameAndColonAndQuote) {
        int at = Bytes.indexOf(bytes, from, to, quotedNameAndColonAndQuote);
        if (at < 0) {
            return new Slice(bytes, 0, 0);
        }
        int start = at + quotedNameAndColonAndQuote.length;
        int end = start;
        while (end < to && bytes[end] != '"') {
            end += bytes[end] == '\\' ? 2 : 1;
        }
        return new Slice(bytes, start, end);
    }

    int length() {
        return to - from;
    }

    boolean is(byte[] text) {
        return length() == text.length && Bytes.startsWith(bytes, from, to, text);
    }

    /** Where the word that starts at {@code at} ends. */
    int endOfWord(int at) {
        int end = at;
        while (end < to && bytes[end] != ' ') {
            end++;
        }
        return end;
    }

    @Override
    public String toString() {
        return new String(bytes, from, length(), StandardCharsets.UTF_8);
    }
}
