package dev.ligeiro.gateway.qrcode;

import com.google.zxing.common.reedsolomon.GenericGF;
import com.google.zxing.common.reedsolomon.ReedSolomonEncoder;

/**
 * Computes the error correction codewords of one block (ISO/IEC 18004 §7.5), with one table look-up per byte.
 *
 * <p>The polynomial division is linear, so a table holds the remainder of each of the 256 leading bytes, computed by ZXing's encoder. The
 * running remainder, at most 30 bytes, is held in four longs, the first byte in the highest bits of the first long.
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

    /** Writes the error correction of the block {@code [from, to)} into the same array, starting at {@code at}. */
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
