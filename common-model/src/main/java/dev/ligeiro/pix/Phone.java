package dev.ligeiro.pix;

import java.util.regex.Pattern;

/** A phone number in E.164 form; a Brazilian one has a two-digit area code and 8 or 9 digits. */
public record Phone(String value) {

    private static final String BRAZIL = "+55";
    private static final Pattern E164 = Pattern.compile("\\+[1-9][0-9]{6,14}");
    private static final Pattern BRAZILIAN = Pattern.compile("\\+55(?!10)[1-9][0-9][0-9]{8,9}");
    private static final Pattern PUNCTUATION = Pattern.compile("[\\h()./-]");
    private static final int LENGTH_WITH_COUNTRY_MIN = 12;

    public Phone {
        if (!E164.matcher(value).matches()) {
            throw new IllegalArgumentException("expected a phone number: + and 7 to 15 digits");
        }
        if (value.startsWith(BRAZIL) && !BRAZILIAN.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "expected a Brazilian phone number: area code (11 to 99) and 8 or 9 digits");
        }
    }

    /** Reads E.164 or the Brazilian national form, punctuated or not; {@code +55} is added where it is missing. */
    public static Phone parse(String text) {
        return new Phone(withCountry(PUNCTUATION.matcher(text).replaceAll("")));
    }

    /** A number of 10 or 11 digits that starts with 55 is national: 55 is an area code too. */
    private static String withCountry(String number) {
        if (number.startsWith("+")) {
            return number;
        }
        return number.startsWith("55") && number.length() >= LENGTH_WITH_COUNTRY_MIN ? "+" + number : BRAZIL + number;
    }

    public boolean isBrazilian() {
        return value.startsWith(BRAZIL);
    }

    @Override
    public String toString() {
        return "Phone[hidden]";
    }
}
