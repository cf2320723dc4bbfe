package dev.ligeiro.pix;

import java.util.regex.Pattern;

/**
 * The tax id of a person (CPF) or a company (CNPJ, with letters from July 2026), without its mask. Its check digits are valid.
 * One repeated character is refused, although its check digits are valid.
 */
public record TaxId(String value) {

    public enum Kind {
        CPF,
        CNPJ
    }

    private static final Pattern FORM = Pattern.compile("[0-9]{11}|[0-9A-Z]{12}[0-9]{2}");
    private static final Pattern MASK = Pattern.compile("[\\h./-]");
    private static final int CPF_LENGTH = 11;
    private static final int CPF_WEIGHT_MAX = 11;
    private static final int CNPJ_WEIGHT_MAX = 9;

    public TaxId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("expected 11 digits of a CPF or 14 characters of a CNPJ");
        }
        if (isOneCharacterRepeated(value) || !endsInItsCheckDigits(value)) {
            throw new IllegalArgumentException("expected a CPF or CNPJ with valid check digits");
        }
    }

    /** Parses a tax id with or without its mask, with letters in upper or lower case. */
    public static TaxId parse(String text) {
        return new TaxId(Ascii.upperCase(MASK.matcher(text).replaceAll("")));
    }

    public Kind kind() {
        return kind(value);
    }

    private static Kind kind(String value) {
        return value.length() == CPF_LENGTH ? Kind.CPF : Kind.CNPJ;
    }

    private static boolean isOneCharacterRepeated(String value) {
        return value.chars().allMatch(c -> c == value.charAt(0));
    }

    private static boolean endsInItsCheckDigits(String value) {
        int weightMax = kind(value) == Kind.CPF ? CPF_WEIGHT_MAX : CNPJ_WEIGHT_MAX;
        int first = value.length() - 2;
        int second = value.length() - 1;
        return value.charAt(first) == checkDigit(value, first, weightMax)
                && value.charAt(second) == checkDigit(value, second, weightMax);
    }

    /**
     * The check digit of the characters before {@code end}. The value of a character is its ASCII code minus 48. The weights,
     * from right to left, run from 2 to {@code weightMax} and repeat.
     */
    private static char checkDigit(String value, int end, int weightMax) {
        int sum = 0;
        int weight = 2;
        for (int i = end - 1; i >= 0; i--) {
            sum += (value.charAt(i) - '0') * weight;
            weight = weight == weightMax ? 2 : weight + 1;
        }
        int remainder = sum % 11;
        return (char) ('0' + (remainder < 2 ? 0 : 11 - remainder));
    }

    @Override
    public String toString() {
        return "TaxId[" + kind() + "]";
    }
}
