package dev.ligeiro.pix;

import java.util.HashMap;
import java.util.Map;

/**
 * The grammar of a BR Code (EMV QR code, merchant-presented mode): a list of objects, each with a two-digit id, a two-digit
 * length and a value of that length. The value of a template is itself a list of objects.
 */
final class EmvObjects {

    private static final int HEADER_LENGTH = 4;

    private EmvObjects() {}

    static void append(StringBuilder list, String id, String value) {
        int start = open(list, id);
        list.append(value);
        close(list, start);
    }

    /** Starts a template and returns the position of its value, which {@link #close} needs. */
    static int open(StringBuilder list, String id) {
        return list.append(id).append("00").length();
    }

    /** Ends the template whose value starts at {@code start}, by writing the length of the value, at most 99 characters. */
    static void close(StringBuilder list, int start) {
        int length = list.length() - start;
        list.setCharAt(start - 2, (char) ('0' + length / 10));
        list.setCharAt(start - 1, (char) ('0' + length % 10));
    }

    /**
     * Reads the objects of one level into a map by id.
     *
     * @throws IllegalArgumentException if the list is malformed or an id comes twice
     */
    static Map<String, String> read(String list) {
        Map<String, String> objects = new HashMap<>();
        int at = 0;
        while (at < list.length()) {
            int valueAt = at + HEADER_LENGTH;
            int end = valueAt + length(list, at);
            if (end > list.length()) {
                throw new IllegalArgumentException("expected objects no longer than the code that holds them");
            }
            if (objects.put(list.substring(at, at + 2), list.substring(valueAt, end)) != null) {
                throw new IllegalArgumentException("expected each object once");
            }
            at = end;
        }
        return objects;
    }

    private static int length(String list, int at) {
        if (list.length() - at <= HEADER_LENGTH || !isNumber(list, at, at + HEADER_LENGTH)) {
            throw new IllegalArgumentException("expected objects of a two-digit id, a two-digit length and a value");
        }
        int length = (list.charAt(at + 2) - '0') * 10 + list.charAt(at + 3) - '0';
        if (length == 0) {
            throw new IllegalArgumentException("expected objects with a value");
        }
        return length;
    }

    private static boolean isNumber(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Ascii.isDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
