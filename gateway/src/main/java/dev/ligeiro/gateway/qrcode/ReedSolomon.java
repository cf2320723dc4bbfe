package dev.ligeiro.gateway.qrcode;

import com.google.zxing.common.reedsolomon.GenericGF;
import com.google.zxing.common.reedsolomon.ReedSolomonEncoder;

/**
 * The error correction codewords of one block (ISO/IEC 18004 §7.5), a table step a byte.
 *
 * <p>The division is linear, so what one leading byte leaves behind can be tabled: ZXing's encoder says what each of the 256 leaves. The
 * running remainder, at most 30 bytes, sits in four longs, its first byte in the top bits of the first.
 */
final class ReedSolomon {

    private static final int WORDS = 4;

    private final int count;
    private final long[] remainders = new long[256 * WORDS];

    /** @param count the error correction codewords of a block, at most 30 in any version */
    ReedSolomon(int count) {
        this.count = count;
        ReedSolomonEncoder encoder = new ReedSolomonEncoder(GenericGF.QR_CODE_FIELD_256);
        for (int leading = 0; leading < 256; leading++) {
            int[] message = new int[1 + count];
            message[0] = leading;
            encoder.encode(message, count);
            for (int i = 0; i < count; i++) {
                remainders[leading * WORDS + i / 8] |= (long) message[1 + i] << (56 - i % 8 * 8);
            }
        }
    }

    /** Writes the codewords for the block {@code [from, to)} at {@code at} of the same array. */
    void append(byte[] codewords, int from, int to, int at) {
        long a = 0, b = 0, c = 0, d = 0;
        for (int i = from; i < to; i++) {
            int row = (((int) (a >>> 56) ^ codewords[i]) & 0xff) * WORDS;
            a = (a << 8 | b >>> 56) ^ remainders[row];
            b = (b << 8 | c >>> 56) ^ remainders[row + 1];
            c = (c << 8 | d >>> 56) ^ remainders[row + 2];
            d = d << 8 ^ remainders[row + 3];
        }
        long[] remainder = {a, b, c, d};
        for (int i = 0; i < count; i++) {
            codewords[at + i] = (byte) (remainder[i / 8] >>> (56 - i % 8 * 8));
        }
    }
}
