package dev.ligeiro.dispatcher.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a {@code Retry-After} header: seconds or a date (RFC 9110 §10.2.3), also one of the two obsolete forms (§5.6.7). */
public final class RetryAfter {

    private static final Pattern SECONDS = Pattern.compile("[0-9]+");

    /** Ten digits are at least 31 years: the rest of a longer number, which could overflow, makes no difference. */
    private static final int DIGITS_MAX = 10;

    /** The preferred form first, then those of RFC 850 and of C's asctime. */
    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .appendOptional(DateTimeFormatter.RFC_1123_DATE_TIME)
            .appendOptional(DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.ENGLISH))
            .appendOptional(DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH))
            .toFormatter(Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private RetryAfter() {}

    /** The waiting time from {@code now}, at most {@code max}; null if the header is missing, malformed or in the past. */
    public static @Nullable Duration parse(@Nullable String header, Instant now, Duration max) {
        if (header == null) {
            return null;
        }
        Duration wait =
                SECONDS.matcher(header.strip()).matches() ? seconds(header.strip()) : untilDate(header.strip(), now);
        if (wait == null || wait.isNegative()) {
            return null;
        }
        return wait.compareTo(max) > 0 ? max : wait;
    }

    private static Duration seconds(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return Duration.ofSeconds(
                Long.parseLong(significant.length() > DIGITS_MAX ? significant.substring(0, DIGITS_MAX) : significant));
    }

    private static @Nullable Duration untilDate(String date, Instant now) {
        try {
            return Duration.between(now, DATE.parse(date, Instant::from));
        } catch (DateTimeException malformed) {
            return null;
        }
    }
}
