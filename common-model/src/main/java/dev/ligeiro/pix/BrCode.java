package dev.ligeiro.pix;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * The content of a Pix QR code, also known as "copia e cola" (BACEN, BR Code manual; EMV QR code, merchant-presented mode). The
 * currency is always the real, the country always Brazil. A dynamic code is for one payment only. A code that a rail has made is
 * passed on unchanged, so nothing reads one.
 *
 * @param amountCents empty if the payer chooses the amount
 * @param txid {@link #NO_TXID} for none; always so in a dynamic code, whose txid is in the payload at its location
 */
public record BrCode(
        MerchantAccount account, String receiverName, String receiverCity, OptionalLong amountCents, String txid) {

    public static final String NO_TXID = "***";

    /** Object 26 names the domain of Pix. */
    private static final String PIX = "br.gov.bcb.pix";

    /** Object 00, the format version, which starts every code. */
    private static final String START = "000201";

    private static final String SINGLE_USE = "12";
    private static final String NO_CATEGORY = "0000";
    private static final String CURRENCY_REAL = "986";
    private static final String COUNTRY_BRAZIL = "BR";
    private static final String CRC_HEADER = "6304";
    /** 9999999999.99, the largest value that fits the 13 characters of object 54. */
    private static final long AMOUNT_CENTS_MAX = 999_999_999_999L;

    private static final int NAME_LENGTH_MAX = 25;
    private static final int CITY_LENGTH_MAX = 15;
    private static final int TXID_LENGTH_MAX = 25;
    private static final int TYPICAL_LENGTH = 256;

    public BrCode {
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

    /** A code without amount and txid. Name and city are converted to ASCII and cut to 25 and 15 characters. */
    public static BrCode of(MerchantAccount account, String receiverName, String receiverCity) {
        return new BrCode(
                account,
                Ascii.fold(receiverName, NAME_LENGTH_MAX),
                Ascii.fold(receiverCity, CITY_LENGTH_MAX),
                OptionalLong.empty(),
                NO_TXID);
    }

    public BrCode withAmountCents(long cents) {
        return new BrCode(account, receiverName, receiverCity, OptionalLong.of(cents), txid);
    }

    public BrCode withTxid(String txid) {
        return new BrCode(account, receiverName, receiverCity, amountCents, txid);
    }

    /** The text of the code: objects of a two-digit id, a two-digit length and a value, in ascending order of their ids. */
    public String encode() {
        StringBuilder code = new StringBuilder(TYPICAL_LENGTH).append(START);
        if (account instanceof DynamicLocation) {
            append(code, "01", SINGLE_USE);
        }
        int receiver = open(code, "26");
        append(code, "00", PIX);
        if (account instanceof StaticKey fixed) {
            append(code, "01", fixed.key());
        } else if (account instanceof DynamicLocation location) {
            append(code, "25", location.url());
        }
        close(code, receiver);
        append(code, "52", NO_CATEGORY);
        append(code, "53", CURRENCY_REAL);
        if (amountCents.isPresent()) {
            append(code, "54", decimal(amountCents.getAsLong()));
        }
        append(code, "58", COUNTRY_BRAZIL);
        append(code, "59", receiverName);
        append(code, "60", receiverCity);
        int additional = open(code, "62");
        append(code, "05", txid);
        close(code, additional);
        code.append(CRC_HEADER);
        return code.append(Crc16.hex(code)).toString();
    }

    private static void append(StringBuilder code, String id, String value) {
        int start = open(code, id);
        code.append(value);
        close(code, start);
    }

    /** Starts an object and returns the position of its value, which {@link #close} needs. */
    private static int open(StringBuilder code, String id) {
        return code.append(id).append("00").length();
    }

    /** Ends the object whose value starts at {@code start}, by writing the length of the value, at most 99 characters. */
    private static void close(StringBuilder code, int start) {
        int length = code.length() - start;
        code.setCharAt(start - 2, (char) ('0' + length / 10));
        code.setCharAt(start - 1, (char) ('0' + length % 10));
    }

    private static String decimal(long cents) {
        long fraction = cents % 100;
        return cents / 100 + (fraction < 10 ? ".0" : ".") + fraction;
    }

    /** CRC-16/CCITT-FALSE, the checksum of a BR Code: polynomial 0x1021, initial value 0xFFFF, not reflected, no final XOR. */
    static final class Crc16 {

        private static final int POLYNOMIAL = 0x1021;
        private static final int[] TABLE = table();

        private Crc16() {}

        /** The checksum of ASCII text as four upper-case hex digits, the value of object 63. */
        static String hex(CharSequence text) {
            int crc = 0xFFFF;
            for (int i = 0; i < text.length(); i++) {
                crc = ((crc << 8) ^ TABLE[((crc >>> 8) ^ text.charAt(i)) & 0xFF]) & 0xFFFF;
            }
            return HexFormat.of().withUpperCase().toHexDigits((short) crc);
        }

        private static int[] table() {
            int[] table = new int[256];
            for (int i = 0; i < table.length; i++) {
                int crc = i << 8;
                for (int bit = 0; bit < 8; bit++) {
                    crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
                }
                table[i] = crc & 0xFFFF;
            }
            return table;
        }
    }
}
