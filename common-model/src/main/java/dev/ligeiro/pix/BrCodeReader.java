package dev.ligeiro.pix;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the text of a BR Code: checks length, start and checksum, then reads the objects. Objects other than the first (00)
 * and the last (63) may come in any order (EMV QR code, merchant-presented mode).
 */
final class BrCodeReader {

    private static final int LENGTH_MAX = 512;
    private static final int CRC_LENGTH = 4;
    /** Object 01 of a reusable code. Some banks write it; {@link BrCode#encode} omits object 01 instead. */
    private static final String REUSABLE = "11";

    private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,10}\\.[0-9]{2}");

    private BrCodeReader() {}

    static BrCode read(String code) {
        if (code.length() > LENGTH_MAX || !Ascii.isPrintable(code)) {
            throw new IllegalArgumentException("expected a BR Code of at most 512 printable ASCII characters");
        }
        Map<String, String> objects = EmvObjects.read(withoutChecksum(code));
        requireValue(objects, "53", BrCode.CURRENCY_REAL);
        requireValue(objects, "58", BrCode.COUNTRY_BRAZIL);
        MerchantAccount account = account(EmvObjects.read(required(objects, "26")));
        return new BrCode(
                singleUse(objects.get("01")),
                account,
                required(objects, "52"),
                amountCents(objects.get("54")),
                required(objects, "59"),
                required(objects, "60"),
                txid(account, EmvObjects.read(required(objects, "62"))));
    }

    private static String withoutChecksum(String code) {
        if (!code.startsWith(BrCode.START)) {
            throw new IllegalArgumentException("expected a BR Code, which starts with 000201");
        }
        int crcAt = code.length() - CRC_LENGTH;
        int lastAt = crcAt - BrCode.CRC_HEADER.length();
        if (lastAt < 0 || !code.startsWith(BrCode.CRC_HEADER, lastAt)) {
            throw new IllegalArgumentException("expected a BR Code that ends with 6304 and the 4 digits of its CRC");
        }
        if (!code.endsWith(Crc16.hex(code.substring(0, crcAt)))) {
            throw new IllegalArgumentException("expected a BR Code with a CRC that fits its text");
        }
        return code.substring(0, lastAt);
    }

    private static boolean singleUse(@Nullable String initiation) {
        if (initiation != null && !initiation.equals(BrCode.SINGLE_USE) && !initiation.equals(REUSABLE)) {
            throw new IllegalArgumentException("expected object 01 to be 11 or 12");
        }
        return BrCode.SINGLE_USE.equals(initiation);
    }

    private static MerchantAccount account(Map<String, String> template) {
        if (!BrCode.PIX.equalsIgnoreCase(template.get("00"))) {
            throw new IllegalArgumentException("expected object 26 of Pix: br.gov.bcb.pix");
        }
        String key = template.get("01");
        String url = template.get("25");
        if (key != null && url == null) {
            return new StaticKey(key, template.getOrDefault("02", ""));
        }
        if (url != null && key == null) {
            return new DynamicLocation(url);
        }
        throw new IllegalArgumentException("expected either a Pix key or a URL in object 26");
    }

    private static OptionalLong amountCents(@Nullable String amount) {
        if (amount == null) {
            return OptionalLong.empty();
        }
        if (!AMOUNT.matcher(amount).matches()) {
            throw new IllegalArgumentException("expected an amount with two decimals, of at most 13 characters");
        }
        return OptionalLong.of(Long.parseLong(amount.replace(".", "")));
    }

    /** Some banks put a txid into a dynamic code; the BR Code manual tells readers to ignore it. */
    private static String txid(MerchantAccount account, Map<String, String> additional) {
        String txid = required(additional, "05");
        return account instanceof DynamicLocation ? BrCode.NO_TXID : txid;
    }

    private static String required(Map<String, String> objects, String id) {
        String value = objects.get(id);
        if (value == null) {
            throw new IllegalArgumentException("expected object " + id);
        }
        return value;
    }

    private static void requireValue(Map<String, String> objects, String id, String expected) {
        if (!expected.equals(objects.get(id))) {
            throw new IllegalArgumentException("expected object " + id + " to be " + expected);
        }
    }
}
