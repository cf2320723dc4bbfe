package dev.ligeiro.infra.bank;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Pix QR code as text ("copia e cola"), written and read here without Ligeiro's own code for it, so that the bank refuses what
 * Ligeiro writes wrongly.
 *
 * @param location the URL of a dynamic code (26-25); null in a static one
 * @param key the Pix key of a static code (26-01)
 * @param txid null for {@code ***}
 * @param amount null when the payer chooses it
 */
record PaymentCode(@Nullable String location, @Nullable String key, @Nullable String txid, @Nullable String amount) {

    private static final String PIX = "br.gov.bcb.pix";

    /** A dynamic code, for one payment. */
    static String of(String location, String receiver, String city) {
        String account = object("00", PIX) + object("25", location);
        String text = object("00", "01")
                + object("01", "12")
                + object("26", account)
                + object("52", "0000")
                + object("53", "986")
                + object("58", "BR")
                + object("59", receiver)
                + object("60", city)
                + object("62", object("05", "***"))
                + "6304";
        return text + checksum(text);
    }

    /** @throws IllegalArgumentException when it is no Pix code or its checksum is wrong */
    static PaymentCode parse(String text) {
        if (text.length() < 8
                || !text.substring(text.length() - 4).equals(checksum(text.substring(0, text.length() - 4)))) {
            throw new IllegalArgumentException("the code's checksum is wrong");
        }
        Map<String, String> code = objects(text);
        Map<String, String> account = objects(code.getOrDefault("26", ""));
        if (!account.getOrDefault("00", "").equalsIgnoreCase(PIX)) {
            throw new IllegalArgumentException("no Pix code");
        }
        String txid = objects(code.getOrDefault("62", "")).get("05");
        return new PaymentCode(account.get("25"), account.get("01"), "***".equals(txid) ? null : txid, code.get("54"));
    }

    private static String object(String id, String value) {
        return id + (value.length() < 10 ? "0" : "") + value.length() + value;
    }

    private static Map<String, String> objects(String text) {
        Map<String, String> objects = new HashMap<>();
        int at = 0;
        while (at < text.length()) {
            try {
                int start = at + 4;
                int end = start + Integer.parseInt(text.substring(at + 2, start));
                objects.put(text.substring(at, at + 2), text.substring(start, end));
                at = end;
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new IllegalArgumentException("the code's objects are not complete", e);
            }
        }
        return objects;
    }

    /** CRC-16/CCITT-FALSE. */
    private static String checksum(String text) {
        int crc = 0xFFFF;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xFF) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
            }
        }
        return String.format("%04X", crc & 0xFFFF);
    }
}
