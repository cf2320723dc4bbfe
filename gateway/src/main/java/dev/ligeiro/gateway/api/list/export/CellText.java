package dev.ligeiro.gateway.api.list.export;

/**
 * A text that others have written, as a cell that no spreadsheet takes for a formula (OWASP, <i>CSV Injection</i>): an apostrophe goes
 * before a character with which a formula can begin.
 *
 * <p>Such a character is looked for at the start of the cell, and also after {@code ;}, {@code |}, a tab or a line break in it: a
 * spreadsheet of a Brazilian computer expects {@code ;} between cells, does not see the quotes of a cell that is not the first one, and
 * would begin a new cell there. A comma needs no care, because a cell with a comma is quoted.
 *
 * <p>A plus sign with digits only stays as it is: phones and phone keys have this form. Such a cell is at most taken for a number.
 */
final class CellText {

    private static final String FORMULA_STARTS = "=+-@\uFF1D\uFF0B\uFF0D\uFF20";
    private static final String SEPARATORS = ";|\t\r\n";
    private static final String LINE_STARTS = "\t\r\n";
    /** A spreadsheet may pass over them at the start of a cell. */
    private static final String SKIPPED = " \"";

    private CellText() {}

    static String of(String given) {
        if (isPhone(given)) {
            return given;
        }
        StringBuilder defused = null;
        for (int i = given.length() - 1; i >= 0; i--) {
            if (beginsFormula(given, i)) {
                defused = (defused == null ? new StringBuilder(given) : defused).insert(i, '\'');
            }
        }
        return defused == null ? given : defused.toString();
    }

    private static boolean beginsFormula(String text, int index) {
        char character = text.charAt(index);
        if (index == 0 && isIn(LINE_STARTS, character)) {
            return true;
        }
        int before = index - 1;
        while (before >= 0 && isIn(SKIPPED, text.charAt(before))) {
            before--;
        }
        return isIn(FORMULA_STARTS, character) && (before < 0 || isIn(SEPARATORS, text.charAt(before)));
    }

    private static boolean isPhone(String text) {
        return text.startsWith("+")
                && text.length() > 1
                && text.chars().skip(1).allMatch(character -> character >= '0' && character <= '9');
    }

    private static boolean isIn(String characters, char character) {
        return characters.indexOf(character) >= 0;
    }
}
