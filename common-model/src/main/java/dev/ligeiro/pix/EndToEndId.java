package dev.ligeiro.pix;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * The end-to-end id of a Pix payment: {@code E}, the participant's ISPB (8 characters), the UTC minute as {@code yyyyMMddHHmm},
 * 11 letters or digits. The minute is not checked against a calendar, because ids also come from the rail.
 *
 * <p>In an id that is generated here, the first 3 of the 11 are the millisecond of the minute to the base 62. So an operator's search finds
 * its transaction by the time in the transaction's id, and no index has to hold end-to-end ids.
 */
public record EndToEndId(String value) {

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int LENGTH = 32;
    private static final int ISPB_AT = 1;
    private static final int MINUTE_AT = 9;
    private static final int SERIAL_AT = 21;
    private static final int RANDOM_AT = 24;
    private static final int MINUTE_MILLIS = 60_000;

    public EndToEndId {
        if (value.length() != LENGTH
                || value.charAt(0) != 'E'
                || !all(value, ISPB_AT, MINUTE_AT, Ascii::isAlphanumeric)
                || !all(value, MINUTE_AT, SERIAL_AT, Ascii::isDigit)
                || !all(value, SERIAL_AT, LENGTH, Ascii::isAlphanumeric)) {
            throw new IllegalArgumentException("expected an end-to-end id: E, 8 letters or digits of the ISPB,"
                    + " 12 digits of the minute, 11 letters or digits");
        }
    }

    /**
     * Generates an id for a Pix that starts at {@code at}. Two ids of one millisecond differ only in their 8 random characters
     * (62<sup>8</sup> values), so {@code random} must have another seed in each thread and process. The digits are appended by
     * hand: every create needs an id, and a formatter would cost more than the rest of this method.
     */
    public static EndToEndId generate(String ispb, Instant at, RandomGenerator random) {
        if (ispb.length() != MINUTE_AT - ISPB_AT) {
            throw new IllegalArgumentException("expected an ISPB of 8 letters or digits");
        }
        StringBuilder id = new StringBuilder(LENGTH).append('E').append(ispb);
        OffsetDateTime time = at.atOffset(ZoneOffset.UTC);
        appendMinute(id, time);
        int millis = time.getSecond() * 1_000 + time.get(ChronoField.MILLI_OF_SECOND);
        int base = ALPHABET.length();
        id.append(ALPHABET.charAt(millis / (base * base)))
                .append(ALPHABET.charAt(millis / base % base))
                .append(ALPHABET.charAt(millis % base));
        while (id.length() < LENGTH) {
            id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new EndToEndId(id.toString());
    }

    /** The millisecond for which this id was generated here. For an id of another participant, empty or a time without meaning. */
    public Optional<Instant> generatedAt() {
        int millis = 0;
        for (int i = SERIAL_AT; i < RANDOM_AT; i++) {
            millis = millis * ALPHABET.length() + ALPHABET.indexOf(value.charAt(i));
        }
        if (millis >= MINUTE_MILLIS) {
            return Optional.empty();
        }
        try {
            LocalDateTime minute =
                    LocalDateTime.of(digits(MINUTE_AT, 4), digits(13, 2), digits(15, 2), digits(17, 2), digits(19, 2));
            return Optional.of(minute.toInstant(ZoneOffset.UTC).plusMillis(millis));
        } catch (DateTimeException noTime) {
            return Optional.empty();
        }
    }

    private int digits(int at, int count) {
        return Integer.parseInt(value, at, at + count, 10);
    }

    private static void appendMinute(StringBuilder id, OffsetDateTime at) {
        appendTwoDigits(id, at.getYear() / 100);
        appendTwoDigits(id, at.getYear() % 100);
        appendTwoDigits(id, at.getMonthValue());
        appendTwoDigits(id, at.getDayOfMonth());
        appendTwoDigits(id, at.getHour());
        appendTwoDigits(id, at.getMinute());
    }

    private static void appendTwoDigits(StringBuilder id, int number) {
        id.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    private static boolean all(String value, int from, int to, IntPredicate fits) {
        for (int i = from; i < to; i++) {
            if (!fits.test(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
