package dev.ligeiro.pix;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * The end-to-end id of a Pix payment: {@code E}, the participant's ISPB (8 characters), the UTC minute as {@code yyyyMMddHHmm},
 * 11 letters or digits. The minute is not checked against a calendar, because ids also come from the rail.
 */
public record EndToEndId(String value) {

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int LENGTH = 32;
    private static final int ISPB_AT = 1;
    private static final int MINUTE_AT = 9;
    private static final int SERIAL_AT = 21;

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
     * Generates an id for a Pix that starts at {@code at}. Two ids of one minute differ only in their 11 random characters
     * (62<sup>11</sup> values), so {@code random} must have another seed in each thread and process. The digits are appended by
     * hand: every create needs an id, and a formatter would cost more than the rest of this method.
     */
    public static EndToEndId generate(String ispb, Instant at, RandomGenerator random) {
        if (ispb.length() != MINUTE_AT - ISPB_AT) {
            throw new IllegalArgumentException("expected an ISPB of 8 letters or digits");
        }
        StringBuilder id = new StringBuilder(LENGTH).append('E').append(ispb);
        appendMinute(id, at.atOffset(ZoneOffset.UTC));
        while (id.length() < LENGTH) {
            id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new EndToEndId(id.toString());
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
