package dev.ligeiro.infra.loadtest.http;

import java.nio.charset.StandardCharsets;

/** Text as bytes: searched, compared, read and written without making strings of it. */
public final class Bytes {

    private static final byte[] HEX = ascii("0123456789abcdef");

    private Bytes() {}

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Where {@code wanted} first stands in {@code [from, to)}, -1 when it does not. */
    public static int indexOf(byte[] bytes, int from, int to, byte[] wanted) {
        int last = to - wanted.length;
        for (int at = from; at <= last; at++) {
            if (bytes[at] == wanted[0] && startsWith(bytes, at, to, wanted)) {
                return at;
            }
        }
        return -1;
    }

    public static boolean startsWith(byte[] bytes, int at, int to, byte[] wanted) {
        if (at < 0 || to - at < wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** The number that {@code [from, to)} spells. */
    public static long parseDigits(byte[] bytes, int from, int to) {
        long number = 0;
        for (int at = from; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                throw new MalformedMessageException("no number where one is expected");
            }
            number = 10 * number + digit;
        }
        return number;
    }

    /** Writes {@code number} with leading zeros. */
    public static void writeDigits(byte[] bytes, int at, int digits, long number) {
        long rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** The value of 16 hex digits, dashes passed over. */
    public static long parseHex(byte[] bytes, int at) {
        long value = 0;
        int digits = 0;
        for (int i = at; digits < Long.BYTES * 2; i++) {
            if (bytes[i] != '-') {
                value = value << 4 | hexDigit(bytes[i]);
                digits++;
            }
        }
        return value;
    }

    /** Writes 16 hex digits. */
    public static void writeHex(byte[] bytes, int at, long value) {
        for (int i = 0; i < Long.BYTES * 2; i++) {
            bytes[at + i] = HEX[(int) (value >>> (60 - 4 * i)) & 0xF];
        }
    }

    /** Writes a UUID in its 36 characters. */
    public static void writeUuid(byte[] bytes, int at, long high, long low) {
        int position = at;
        for (int digit = 0; digit < 32; digit++) {
            if (digit == 8 || digit == 12 || digit == 16 || digit == 20) {
                bytes[position++] = '-';
            }
            long half = digit < 16 ? high : low;
            bytes[position++] = HEX[(int) (half >>> (60 - 4 * (digit & 0xF))) & 0xF];
        }
    }

    static boolean startsWithIgnoringCase(byte[] bytes, int at, int to, byte[] lowerCase) {
        if (to - at <= lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            byte actual = bytes[at + i];
            if ((actual >= 'A' && actual <= 'Z' ? actual + 32 : actual) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** Where the line's CR LF stands. */
    static int endOfLine(byte[] bytes, int from, int to) {
        for (int at = from; at < to - 1; at++) {
            if (bytes[at] == '\r' && bytes[at + 1] == '\n') {
                return at;
            }
        }
        return to;
    }

    /** The length of a message's head with the empty line, -1 when it is not all there. */
    static int endOfHead(byte[] bytes, int to) {
        for (int at = 3; at < to; at++) {
            if (bytes[at] == '\n' && bytes[at - 1] == '\r' && bytes[at - 2] == '\n' && bytes[at - 3] == '\r') {
                return at + 1;
            }
        }
        return -1;
    }

    static int skipSpaces(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] == ' ') {
            at++;
        }
        return at;
    }

    private static int hexDigit(byte digit) {
        int value = Character.digit(digit, 16);
        if (value < 0) {
            throw new MalformedMessageException("no hex digit where one is expected");
        }
        return value;
    }
}
