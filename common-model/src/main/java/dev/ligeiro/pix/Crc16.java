package dev.ligeiro.pix;

import java.util.HexFormat;

/** CRC-16/CCITT-FALSE, the checksum of a BR Code: polynomial 0x1021, initial value 0xFFFF, not reflected, no final XOR. */
final class Crc16 {

    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = table();

    private Crc16() {}

    /** The checksum of ASCII text. */
    static int of(CharSequence text) {
        int crc = 0xFFFF;
        for (int i = 0; i < text.length(); i++) {
            crc = ((crc << 8) ^ TABLE[((crc >>> 8) ^ text.charAt(i)) & 0xFF]) & 0xFFFF;
        }
        return crc;
    }

    /** The checksum as four upper-case hex digits, the value of object 63. */
    static String hex(CharSequence text) {
        return HexFormat.of().withUpperCase().toHexDigits((short) of(text));
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
