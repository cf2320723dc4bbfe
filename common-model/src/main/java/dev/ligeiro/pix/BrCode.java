package dev.ligeiro.pix;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The content of a Pix QR code, also known as "copia e cola" (BACEN, BR Code manual). The currency is always the real, the
 * country always Brazil. Every instance can be encoded, and {@code decode(code.encode())} equals it. Decoding ignores objects that
 * this record does not have: a code from a rail must be passed on unchanged, not decoded and encoded again.
 *
 * @param singleUse whether the code is marked for one payment only (object 01 is 12); reusable codes omit object 01
 * @param amountCents empty if the payer chooses the amount
 * @param txid {@link #NO_TXID} for none; always so in a dynamic code, whose txid is in the payload at its location
 */
public record BrCode(
        boolean singleUse,
        MerchantAccount account,
        String merchantCategoryCode,
        OptionalLong amountCents,
        String receiverName,
        String receiverCity,
        String txid) {

    public static final String NO_TXID = "***";

    /** Object 00, the format version, which starts every code. */
    static final String START = "000201";

    static final String SINGLE_USE = "12";
    static final String PIX = "br.gov.bcb.pix";
    static final String CURRENCY_REAL = "986";
    static final String COUNTRY_BRAZIL = "BR";
    static final String CRC_HEADER = "6304";

    private static final String NO_CATEGORY = "0000";
    private static final Pattern CATEGORY = Pattern.compile("[0-9]{4}");
    /** 9999999999.99, the largest value that fits the 13 characters of object 54. */
    private static final long AMOUNT_CENTS_MAX = 999_999_999_999L;

    private static final int NAME_LENGTH_MAX = 25;
    private static final int CITY_LENGTH_MAX = 15;
    private static final int TXID_LENGTH_MAX = 25;
    private static final int TYPICAL_LENGTH = 256;

    public BrCode {
        if (!CATEGORY.matcher(merchantCategoryCode).matches()) {
            throw new IllegalArgumentException("expected a merchant category code of 4 digits");
        }
        if (amountCents.isPresent() && !isAmount(amountCents.getAsLong())) {
            throw new IllegalArgumentException("expected an amount from 0.01 to 9999999999.99");
        }
        if (!isText(receiverName, NAME_LENGTH_MAX)) {
            throw new IllegalArgumentException("expected a receiver name of 1 to 25 printable ASCII characters");
        }
        if (!isText(receiverCity, CITY_LENGTH_MAX)) {
            throw new IllegalArgumentException("expected a receiver city of 1 to 15 printable ASCII characters");
        }
        if (!txid.equals(NO_TXID) && !isTxid(txid)) {
            throw new IllegalArgumentException("expected a txid of 1 to 25 letters and digits, or ***");
        }
        if (!txid.equals(NO_TXID) && account instanceof DynamicLocation) {
            throw new IllegalArgumentException("expected no txid (***) in a dynamic code");
        }
    }

    private static boolean isAmount(long cents) {
        return cents > 0 && cents <= AMOUNT_CENTS_MAX;
    }

    private static boolean isText(String text, int lengthMax) {
        return !text.isBlank() && text.length() <= lengthMax && Ascii.isPrintable(text);
    }

    private static boolean isTxid(String text) {
        return !text.isEmpty()
                && text.length() <= TXID_LENGTH_MAX
                && text.chars().allMatch(Ascii::isAlphanumeric);
    }

    /**
     * A code without amount and txid; single-use if dynamic. Name and city are converted to ASCII and cut to 25 and 15
     * characters.
     */
    public static BrCode of(MerchantAccount account, String receiverName, String receiverCity) {
        return new BrCode(
                account instanceof DynamicLocation,
                account,
                NO_CATEGORY,
                OptionalLong.empty(),
                Ascii.fold(receiverName, NAME_LENGTH_MAX),
                Ascii.fold(receiverCity, CITY_LENGTH_MAX),
                NO_TXID);
    }

    public BrCode withAmountCents(long cents) {
        OptionalLong amount = OptionalLong.of(cents);
        return new BrCode(singleUse, account, merchantCategoryCode, amount, receiverName, receiverCity, txid);
    }

    public BrCode withTxid(String txid) {
        return new BrCode(singleUse, account, merchantCategoryCode, amountCents, receiverName, receiverCity, txid);
    }

    /**
     * Decodes the text of a code.
     *
     * @throws IllegalArgumentException if the checksum, the grammar or an object of this record is invalid
     */
    public static BrCode decode(String code) {
        return BrCodeReader.read(code);
    }

    /** The text of the code, with its objects in ascending order of their ids. */
    public String encode() {
        StringBuilder code = new StringBuilder(TYPICAL_LENGTH).append(START);
        if (singleUse) {
            EmvObjects.append(code, "01", SINGLE_USE);
        }
        appendAccount(code);
        EmvObjects.append(code, "52", merchantCategoryCode);
        EmvObjects.append(code, "53", CURRENCY_REAL);
        if (amountCents.isPresent()) {
            EmvObjects.append(code, "54", decimal(amountCents.getAsLong()));
        }
        EmvObjects.append(code, "58", COUNTRY_BRAZIL);
        EmvObjects.append(code, "59", receiverName);
        EmvObjects.append(code, "60", receiverCity);
        int additional = EmvObjects.open(code, "62");
        EmvObjects.append(code, "05", txid);
        EmvObjects.close(code, additional);
        code.append(CRC_HEADER);
        return code.append(Crc16.hex(code)).toString();
    }

    private void appendAccount(StringBuilder code) {
        int start = EmvObjects.open(code, "26");
        EmvObjects.append(code, "00", PIX);
        if (account instanceof StaticKey fixed) {
            EmvObjects.append(code, "01", fixed.key());
            if (!fixed.description().isEmpty()) {
                EmvObjects.append(code, "02", fixed.description());
            }
        } else if (account instanceof DynamicLocation location) {
            EmvObjects.append(code, "25", location.url());
        }
        EmvObjects.close(code, start);
    }

    private static String decimal(long cents) {
        long fraction = cents % 100;
        return cents / 100 + (fraction < 10 ? ".0" : ".") + fraction;
    }
}
