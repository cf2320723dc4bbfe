package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.transaction.Amount;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** A language of the pages. The texts of a room of pages are in {@code pt.properties} and {@code en.properties} of a folder. */
public enum Language {
    PORTUGUESE("pt-BR", "pt", "dd/MM/yyyy HH:mm (O)"),
    ENGLISH("en", "en", "d MMM yyyy, HH:mm (O)");

    /** Browsers send less than half of it. The JDK takes a time that grows with the square of the number of languages. */
    private static final int HEADER_LENGTH_MAX = 200;

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

    /** For the HTML attribute {@code lang}. */
    public String tag() {
        return tag;
    }

    /**
     * @param room the folder of the texts, with dots between its parts
     * @throws java.util.MissingResourceException if the room has no such text
     */
    public String text(String room, String key) {
        return ResourceBundle.getBundle(room + "." + file, Locale.ROOT).getString(key);
    }

    /** {@code R$ 1.234,56} or {@code R$ 1,234.56}, with a space that does not break. */
    public String format(Amount amount) {
        String english = String.format(Locale.ROOT, "%,d.%02d", amount.cents() / 100, amount.cents() % 100);
        return "R$\u00a0" + (this == ENGLISH ? english : swapSeparators(english));
    }

    public String format(Instant at, ZoneId zone) {
        return time.format(at.atZone(zone));
    }

    private static String swapSeparators(String english) {
        return english.replace('.', ' ').replace(',', '.').replace(' ', ',');
    }
}
