package dev.ligeiro.view;

import dev.ligeiro.transaction.Amount;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A language of the pages. The texts of a room are in {@code texts/<room>/pt.properties} and {@code en.properties}; a text is named by its
 * room, a dot and its key.
 */
public enum Language {
    PORTUGUESE("pt-BR", "pt", "dd/MM/yyyy HH:mm (O)"),
    ENGLISH("en", "en", "d MMM yyyy, HH:mm (O)");

    /** Browsers send less than half of it. The JDK takes a time that grows with the square of the number of languages. */
    private static final int HEADER_LENGTH_MAX = 200;

    /** Three digits after the only separator are thousands; amounts have at most two decimals. */
    private static final Pattern AMOUNT = Pattern.compile(
            "(?<whole>[0-9]{1,3}(?:(?<s>[.,])[0-9]{3}(?:\\k<s>[0-9]{3})*)?|[0-9]+)(?:(?!\\k<s>)[.,](?<decimals>[0-9]{1,2}))?");

    private static final List<Locale> LOCALES = List.of(Locale.forLanguageTag("pt"), Locale.ENGLISH);

    private final String tag;
    private final String file;
    private final DateTimeFormatter time;

    Language(String tag, String file, String time) {
        this.tag = tag;
        this.file = file;
        this.time = DateTimeFormatter.ofPattern(time, Locale.ENGLISH);
    }

    /** The one that {@code Accept-Language} prefers (RFC 4647 §3.4); Portuguese for no header, a longer one, and other languages. */
    public static Language preferred(@Nullable String acceptLanguage) {
        try {
            return acceptLanguage != null
                            && acceptLanguage.length() <= HEADER_LENGTH_MAX
                            && Locale.ENGLISH.equals(Locale.lookup(Locale.LanguageRange.parse(acceptLanguage), LOCALES))
                    ? ENGLISH
                    : PORTUGUESE;
        } catch (IllegalArgumentException malformed) {
            return PORTUGUESE;
        }
    }

    public Language other() {
        return this == ENGLISH ? PORTUGUESE : ENGLISH;
    }

    /** For the HTML attribute {@code lang}. */
    public String tag() {
        return tag;
    }

    /**
     * @param name such as {@code merchant.title}
     * @throws MissingResourceException if there is no such text
     */
    public String text(String name, Object... values) {
        String text = find(name);
        if (text == null) {
            throw new MissingResourceException("no text " + name, Language.class.getName(), name);
        }
        return values.length == 0 ? text : String.format(Locale.ROOT, text, values);
    }

    public @Nullable String find(String name) {
        int dot = name.indexOf('.');
        try {
            return ResourceBundle.getBundle("texts." + name.substring(0, dot) + "." + file, Locale.ROOT)
                    .getString(name.substring(dot + 1));
        } catch (MissingResourceException unknown) {
            return null;
        }
    }

    /** {@code R$ 1.234,56} or {@code R$ 1,234.56}, with a space that does not break. */
    public String format(Amount amount) {
        return amount(amount.toString());
    }

    /** A decimal number in reais, such as {@code -12.50}, like {@link #format(Amount)}, with a minus sign before it if it is negative. */
    public String amount(String decimal) {
        BigDecimal amount = new BigDecimal(decimal);
        String english = String.format(Locale.ROOT, "%,.2f", amount.abs());
        return (amount.signum() < 0 ? "\u2212" : "") + "R$\u00a0"
                + (this == ENGLISH ? english : swapSeparators(english));
    }

    /**
     * The API's form of an amount that a person has entered: {@code 1.000,00} and {@code R$ 1,000.00} are {@code 1000.00}. What is no amount
     * stays as it is, for the API to refuse.
     */
    public static String amountOf(String entered) {
        String text = entered.replace("R$", "").replaceAll("[\\s\u00a0]", "");
        Matcher number = AMOUNT.matcher(text);
        if (!number.matches()) {
            return entered;
        }
        String decimals = number.group("decimals");
        return number.group("whole").replaceAll("[.,]", "") + (decimals == null ? "" : "." + decimals);
    }

    /** The decimal number of the API, such as {@code 1000.00}, as a form shows it: with the language's separator and no other. */
    public String decimalText(String decimal) {
        return this == ENGLISH ? decimal : decimal.replace('.', ',');
    }

    public String format(Instant at, ZoneId zone) {
        return time.format(at.atZone(zone));
    }

    private static String swapSeparators(String english) {
        return english.replace('.', ' ').replace(',', '.').replace(' ', ',');
    }
}
