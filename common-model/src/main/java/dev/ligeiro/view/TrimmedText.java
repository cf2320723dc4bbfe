package dev.ligeiro.view;

/**
 * A text without what a reader cannot see at its beginning and end: all that Unicode 15 calls White_Space or Default_Ignorable_Code_Point.
 * With it, two references or names that look the same would be two. Inside a text such characters stay, because scripts and emoji need them.
 */
public final class TrimmedText {

    /** First and last code points of the ranges outside ASCII, ascending. */
    private static final int[] INVISIBLE = {
        0x85, 0x85, 0xA0, 0xA0, 0xAD, 0xAD, 0x34F, 0x34F, 0x61C, 0x61C, 0x115F, 0x1160, 0x1680, 0x1680, 0x17B4, 0x17B5,
        0x180B, 0x180F, 0x2000, 0x200F, 0x2028, 0x202F, 0x205F, 0x206F, 0x3000, 0x3000, 0x3164, 0x3164, 0xFE00, 0xFE0F,
        0xFEFF, 0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFF8, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF
    };

    private TrimmedText() {}

    public static String of(String text) {
        int begin = 0;
        int end = text.length();
        while (begin < end && isInvisible(text.codePointAt(begin))) {
            begin += Character.charCount(text.codePointAt(begin));
        }
        while (begin < end && isInvisible(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(begin, end);
    }

    private static boolean isInvisible(int codePoint) {
        if (codePoint < 0x80) {
            return Character.isWhitespace(codePoint);
        }
        for (int i = 0; i < INVISIBLE.length && INVISIBLE[i] <= codePoint; i += 2) {
            if (codePoint <= INVISIBLE[i + 1]) {
                return true;
            }
        }
        return false;
    }
}
