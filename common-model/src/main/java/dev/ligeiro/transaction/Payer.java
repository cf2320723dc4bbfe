package dev.ligeiro.transaction;

import dev.ligeiro.pix.TaxId;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who has paid, as far as the rail tells. Personal data: never log it.
 *
 * @param name null when not told
 * @param taxId a CPF or CNPJ without punctuation, with {@code *} for each character that the rail hides; null when not told
 * @param ispb the eight digits of the payer's bank; null when not told
 */
public record Payer(@Nullable String name, @Nullable String taxId, @Nullable String ispb) {

    private static final int NAME_MAX = 100;
    private static final int CPF_LENGTH = 11;
    private static final char HIDDEN = '*';

    private static final Pattern PUNCTUATION = Pattern.compile("[\\h./-]");
    private static final Pattern PARTLY_HIDDEN = Pattern.compile("[0-9*]{11}|[0-9A-Z*]{12}[0-9*]{2}");
    private static final Pattern ISPB = Pattern.compile("[0-9]{8}");

    /** A part that is malformed counts as not told. Null when nothing is told. */
    public static @Nullable Payer of(@Nullable String name, @Nullable String taxId, @Nullable String ispb) {
        String validIspb = ispb != null && ISPB.matcher(ispb).matches() ? ispb : null;
        Payer payer = new Payer(name(name), taxId(taxId), validIspb);
        return payer.name == null && payer.taxId == null && payer.ispb == null ? null : payer;
    }

    private static @Nullable String name(@Nullable String given) {
        String name = given == null ? "" : given.strip();
        boolean isName = !name.isEmpty()
                && name.codePointCount(0, name.length()) <= NAME_MAX
                && name.codePoints().noneMatch(c -> Character.isISOControl(c) || isHalfOfPair(c));
        return isName ? name : null;
    }

    private static boolean isHalfOfPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static @Nullable String taxId(@Nullable String given) {
        String bare =
                given == null ? "" : PUNCTUATION.matcher(given).replaceAll("").toUpperCase(Locale.ROOT);
        if (!PARTLY_HIDDEN.matcher(bare).matches() || bare.chars().allMatch(c -> c == HIDDEN)) {
            return null;
        }
        try {
            return bare.indexOf(HIDDEN) < 0 ? new TaxId(bare).value() : bare;
        } catch (IllegalArgumentException noTaxId) {
            return null;
        }
    }

    /**
     * Whether the payer has this tax id; null when the rail does not tell. Of a partly hidden tax id, a visible character that differs is
     * enough for false; it is never enough for true.
     *
     * @param document a CPF or CNPJ without punctuation
     */
    public @Nullable Boolean has(String document) {
        if (taxId == null) {
            return null;
        }
        if (taxId.indexOf(HIDDEN) < 0) {
            return taxId.equals(document);
        }
        boolean differs = taxId.length() == document.length() && differs(taxId, document);
        return differs ? Boolean.FALSE : null;
    }

    private static boolean differs(String hidden, String document) {
        for (int i = 0; i < hidden.length(); i++) {
            if (hidden.charAt(i) != HIDDEN && hidden.charAt(i) != document.charAt(i)) {
                return true;
            }
        }
        return false;
    }

    /** Null if the rail does not tell it, or hides a part. */
    public @Nullable String fullTaxId() {
        return taxId == null || taxId.indexOf(HIDDEN) >= 0 ? null : taxId;
    }

    /** The tax id as receipts show it: {@code ***.777.888-**} of a CPF, {@code **.345.678/****-**} of a CNPJ; "" when not told. */
    public String maskedTaxId() {
        if (taxId == null || !PARTLY_HIDDEN.matcher(taxId).matches()) {
            return "";
        }
        return taxId.length() == CPF_LENGTH
                ? "***." + taxId.substring(3, 6) + "." + taxId.substring(6, 9) + "-**"
                : "**." + taxId.substring(2, 5) + "." + taxId.substring(5, 8) + "/****-**";
    }

    @Override
    public String toString() {
        return "Payer[…]";
    }
}
