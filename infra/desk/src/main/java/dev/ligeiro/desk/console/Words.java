package dev.ligeiro.desk.console;

import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.view.Language;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How the pages show and read what {@link Frame} does not know: codes, counts, shares, days, and amounts as people write them. */
public final class Words {

    private static final String UNKNOWN = "–";
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,13}(?:\\.[0-9]{1,2})?");

    private Words() {}

    /** The style of a status's badge. */
    public static String mood(String status) {
        return switch (status) {
            case "paid", "delivered", "refunded", "done", "active", "open", "won" -> "good";
            case "denied", "exhausted", "failed", "failing", "paused", "lost" -> "bad";
            case "pending",
                    "in_process",
                    "in_analysis",
                    "scheduled",
                    "processing",
                    "running",
                    "link",
                    "disabled",
                    "defended" -> "wait";
            default -> "quiet";
        };
    }

    /** The text of a code of the API; the code itself if a newer gateway has it. */
    public static String code(Frame frame, String kind, String code) {
        return frame.textOr("console." + kind + "." + code, code);
    }

    public static String number(Frame frame, @Nullable Long number) {
        if (number == null) {
            return UNKNOWN;
        }
        String english = String.format(Locale.ROOT, "%,d", number);
        return frame.language() == Language.ENGLISH ? english : english.replace(',', '.');
    }

    public static String amount(Frame frame, @Nullable String decimal) {
        return decimal == null ? UNKNOWN : frame.amount(decimal);
    }

    public static String percent(@Nullable Double share) {
        return share == null ? UNKNOWN : Math.round(100 * share) + "\u00a0%";
    }

    /** Rounded to one unit. */
    public static String duration(Frame frame, @Nullable Long seconds) {
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
                : Math.round(seconds / 86_400.0) + "\u00a0" + frame.text("console.days");
    }

    public static String day(Frame frame, LocalDate date) {
        return DateTimeFormatter.ofPattern(frame.language() == Language.ENGLISH ? "d MMM" : "dd/MM", Locale.ENGLISH)
                .format(date);
    }

    /** An amount as people write it, such as {@code 1.000,00} or {@code R$ 12}; null for another text, and for zero. */
    static @Nullable BigDecimal amountOf(@Nullable String text) {
        String decimal = text == null ? "" : Language.amountOf(text);
        return DECIMAL.matcher(decimal).matches() && new BigDecimal(decimal).signum() > 0
                ? new BigDecimal(decimal).setScale(2)
                : null;
    }
}
