package dev.ligeiro.pix;

import java.util.regex.Pattern;

/**
 * An e-mail address with its case preserved: one @, a domain with a dot, at most 77 characters, no spaces or control characters.
 * Further checks would be guesses: only sending a message shows whether an address exists.
 */
public record Email(String value) {

    private static final int LENGTH_MAX = 77;
    private static final String LABEL = "[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?";
    private static final Pattern FORM =
            Pattern.compile("[^@\\s\\p{C}\\p{Z}<>()\\[\\],;:\"\\\\]+@" + LABEL + "(?:\\." + LABEL + ")+");

    public Email {
        if (value.codePointCount(0, value.length()) > LENGTH_MAX) {
            throw new IllegalArgumentException("expected an e-mail address of at most 77 characters");
        }
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("expected an e-mail address: name@domain, the domain with a dot");
        }
    }

    /** Reads an address, with or without spaces around it. */
    public static Email parse(String text) {
        return new Email(text.strip());
    }

    @Override
    public String toString() {
        return "Email[hidden]";
    }
}
