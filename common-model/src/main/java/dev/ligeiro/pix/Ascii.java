package dev.ligeiro.pix;

import java.text.Normalizer;
import java.util.Locale;

/** Characters as the rail knows them: {@link Character} would let other scripts' digits and letters through. */
final class Ascii {

    private Ascii() {}

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isAlphanumeric(int c) {
        return isDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    static boolean isPrintable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPrintable(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPrintable(char c) {
        return c >= ' ' && c <= '~';
    }

    /** Only ASCII text changes case: elsewhere a letter may turn into an ASCII one, as the long s does. */
    static String upperCase(String text) {
        return isPrintable(text) ? text.toUpperCase(Locale.ROOT) : text;
    }

    /** As {@link #upperCase}. */
    static String lowerCase(String text) {
        return isPrintable(text) ? text.toLowerCase(Locale.ROOT) : text;
    }

    /** The text without accents, in printable ASCII, cut to {@code lengthMax}; what has no likeness is left out. */
    static String fold(String text, int lengthMax) {
        String folded = isPrintable(text) ? text : unaccented(text);
        String stripped = folded.strip();
        return stripped.length() <= lengthMax
                ? stripped
                : stripped.substring(0, lengthMax).stripTrailing();
    }

    private static String unaccented(String text) {
        String decomposed = Normalizer.normalize(text, Normalizer.Form.NFKD);
        StringBuilder folded = new StringBuilder(decomposed.length());
        for (int i = 0; i < decomposed.length(); i++) {
            char c = decomposed.charAt(i);
            if (isPrintable(c)) {
                folded.append(c);
            } else {
                folded.append(likeness(c));
            }
        }
        return folded.toString();
    }

    /** Stands in for the characters of names and punctuation that Unicode does not decompose. */
    private static String likeness(char c) {
        return switch (c) {
            case 'Æ' -> "AE";
            case 'æ' -> "ae";
            case 'Œ' -> "OE";
            case 'œ' -> "oe";
            case 'Ø' -> "O";
            case 'ø' -> "o";
            case 'Ł' -> "L";
            case 'ł' -> "l";
            case 'Đ', 'Ð' -> "D";
            case 'đ', 'ð' -> "d";
            case 'ß' -> "ss";
            case 'ı' -> "i";
            case '‘', '’' -> "'";
            case '“', '”' -> "\"";
            case '‐', '‑', '‒', '–', '—' -> "-";
            case '\t', '\n', '\r' -> " ";
            default -> "";
        };
    }
}
