package dev.ligeiro.gateway.qrcode;

/**
 * A table from up to four adjacent pairs of modules, in the highest bits of a byte, to their {@link RowCode} literals and the values that
 * their pixels add to the {@link PixelChecksum}. So no pixels are written.
 *
 * <p>Each entry is one long: bits 0–15 the code, 16–31 its number of bits, 32–47 the sum of the pixel bytes, 48–63 the sum of their
 * running sums.
 */
final class PixelGroups {

    private final int pairs;
    private final long[] groups = new long[256];

    /** @param pairs 1 to 4; a pair is a byte of pixels */
    PixelGroups(int pairs) {
        this.pairs = pairs;
        for (int modules = 0; modules < groups.length; modules++) {
            groups[modules] = group(modules);
        }
    }

    void put(byte modules, BitSink sink, PixelChecksum checksum) {
        long group = groups[modules & 0xff];
        sink.put(group & 0xffff, (int) group >>> 16);
        checksum.add(pairs, (int) (group >>> 32) & 0xffff, (int) (group >>> 48));
    }

    private long group(int modules) {
        long code = 0;
        long codeBits = 0;
        long sum = 0;
        long sumOfSums = 0;
        for (int pair = 0; pair < pairs; pair++) {
            int pixels = pixels(modules >>> (6 - 2 * pair) & 3);
            code |= (long) RowCode.literal(pixels) << codeBits;
            codeBits += RowCode.literalBits(pixels);
            sum += pixels;
            sumOfSums += sum;
        }
        return code | codeBits << 16 | sum << 32 | sumOfSums << 48;
    }

    private static int pixels(int pair) {
        return (pair >>> 1) * RowCode.LIGHT_DARK | (pair & 1) * RowCode.DARK_LIGHT;
    }
}
