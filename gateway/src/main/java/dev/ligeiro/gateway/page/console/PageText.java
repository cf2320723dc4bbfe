package dev.ligeiro.gateway.page.console;

import dev.ligeiro.gateway.http.html.Language;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The texts of the pages in one language, and what the API gives in the form of that language. */
public record PageText(Language language) {

    static final String ROOM = "console.merchant";

    private static final DateTimeFormatter API_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final String UNKNOWN = "–";

    public String text(String key) {
        return language.text(ROOM, key);
    }

    /** The text of a code of the API; the code itself if there is none, for codes of newer versions and of banks. */
    public String code(String kind, String code) {
        String found = language.find(ROOM, kind + "." + code);
        return found == null ? code : found;
    }

    /** The style of a status's badge. */
    public String mood(String status) {
        return switch (status) {
            case "paid", "delivered", "refunded", "done", "active", "open" -> "good";
            case "denied", "exhausted", "failed", "failing", "paused" -> "bad";
            case "pending", "in_process", "in_analysis", "scheduled", "processing", "running", "link" -> "wait";
            default -> "quiet";
        };
    }

    /** – for null. */
    public String amount(@Nullable String decimal) {
        return decimal == null ? UNKNOWN : language.amount(decimal);
    }

    public String number(@Nullable Long number) {
        return number == null ? UNKNOWN : format("#,##0", number);
    }

    public String percent(@Nullable Double share) {
        return share == null ? UNKNOWN : format("0", 100 * share) + "\u00a0%";
    }

    /** Rounded to one unit. */
    public String duration(@Nullable Long seconds) {
        if (seconds == null) {
            return UNKNOWN;
        }
        if (seconds < 100) {
            return seconds + "\u00a0s";
        }
        if (seconds < 100 * 60) {
            return Math.round(seconds / 60.0) + "\u00a0min";
        }
        return seconds < 48 * 3_600
                ? Math.round(seconds / 3_600.0) + "\u00a0h"
                : Math.round(seconds / 86_400.0) + "\u00a0" + text("days");
    }

    /** A time of the API; – for {@code ""}. */
    public String time(String apiTime) {
        return apiTime.isEmpty()
                ? UNKNOWN
                : pattern("dd/MM/yyyy HH:mm:ss", "d MMM yyyy, HH:mm:ss").format(LocalDateTime.parse(apiTime, API_TIME));
    }

    /** An instant of the API (RFC 3339, UTC), to the minute. */
    public String instant(String at) {
        return pattern("dd/MM/yyyy HH:mm", "d MMM yyyy, HH:mm")
                        .format(Instant.parse(at).atOffset(ZoneOffset.UTC)) + " UTC";
    }

    /** A date of the API, without its year. */
    public String day(String date) {
        return pattern("dd/MM", "d MMM").format(LocalDate.parse(date));
    }

    private DateTimeFormatter pattern(String portuguese, String english) {
        return DateTimeFormatter.ofPattern(language == Language.ENGLISH ? english : portuguese, Locale.ENGLISH);
    }

    private String format(String pattern, Number number) {
        Locale locale = language == Language.ENGLISH ? Locale.ENGLISH : Locale.forLanguageTag("pt-BR");
        return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(locale)).format(number);
    }
}
