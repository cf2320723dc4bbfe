package dev.ligeiro.infra.loadtest;

import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Derives the {@code reference} and the {@code extra} of a call's transaction from the call's number, so that the audit and the
 * receiver recognise both. The extra does not contain the number: a transaction that has the extra of another one is noticed.
 */
final class CallIdentifiers {

    private static final int DIGITS = 10;
    private static final String EXTRA_START = "Observação do lojista: ";

    private final String referenceStart;
    private final long salt;

    /** @param runId 8 hex digits, different for each scenario of each run */
    CallIdentifiers(String runId) {
        this.referenceStart = "lt" + runId + "-";
        this.salt = Long.parseLong(runId, 16) << 32;
    }

    /** Of a new scenario. */
    static CallIdentifiers random() {
        return new CallIdentifiers(
                String.format("%08x", ThreadLocalRandom.current().nextInt()));
    }

    String reference(long number) {
        return referenceStart + padded(number, DIGITS);
    }

    String extra(long number) {
        return EXTRA_START + HexFormat.of().toHexDigits(scramble(number ^ salt));
    }

    /** The number of the call with this reference; -1 when the reference is not one of this scenario. */
    int number(String reference) {
        if (reference.length() != referenceStart.length() + DIGITS || !reference.startsWith(referenceStart)) {
            return -1;
        }
        try {
            return Integer.parseInt(reference, referenceStart.length(), reference.length(), 10);
        } catch (NumberFormatException noNumber) {
            return -1;
        }
    }

    static String padded(long number, int digits) {
        String text = Long.toString(number);
        return "0".repeat(digits - text.length()) + text;
    }

    /** Consecutive numbers give values that look random. */
    static long scramble(long number) {
        return new SplittableRandom(number).nextLong();
    }
}
