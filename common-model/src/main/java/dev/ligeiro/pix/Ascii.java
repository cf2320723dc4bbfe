package dev.ligeiro.pix;

import java.text.Normalizer;
import java.util.Locale;

/** ASCII character classes. {@link Character} also accepts the digits and letters of other scripts, which the rail refuses. */
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

    /** Converts printable ASCII text only: upper-casing can turn other letters into ASCII ones ({@code ſ} becomes {@code S}). */
    static String upperCase(String text) {
        return isPrintable(text) ? text.toUpperCase(Locale.ROOT) : text;
    }

    static String lowerCase(String text) {
        return isPrintable(text) ? text.toLowerCase(Locale.ROOT) : text;
    }

    /** Converts text to printable ASCII without accents, at most {@code lengthMax} long; drops characters without a substitute. */
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
                folded.append(substitute(c));
            }
        }
        return folded.toString();
    }

    /** ASCII text for characters of names and punctuation that Unicode does not decompose; empty for others. */
    private static String substitute(char c) {
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
