package dev.ligeiro.gateway.qrcode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The Huffman code of the deflate block that contains the rows. Every image has the same six symbols, so the code is a constant.
 *
 * <p>With one bit a pixel and four pixels a module, a byte is a pair of modules: only 00, 0f, f0 and ff occur, with similar frequency. Three
 * of them have a code of two bits, one of three; "repeat the row" and "end" have four. Codes are written in the order of output, lowest
 * bit first.
 */
final class RowCode {

    /** By pair of modules, the left one in the higher bit; 1 is light. */
    private static final int[] PIXELS = {0x00, 0x0f, 0xf0, 0xff};

    private static final int[] LITERALS = {0b00, 0b011, 0b10, 0b01};
    private static final int[] LITERAL_BITS = {2, 3, 2, 2};
    static final int LITERAL_BITS_MAX = 3;

    static final int END = 0b0111;
    static final int END_BITS = 4;
    private static final int REPEAT = 0b1111;
    private static final int REPEAT_BITS = 4;
    /** The second of two distance codes. The first is unused, but some readers refuse an incomplete code. */
    private static final int DISTANCE = 0b1;

    private static final int DISTANCE_BITS = 1;

    /** The code lengths of the code of the header, in the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 (RFC 1951 §3.2.7). */
    private static final int[] HEADER_LENGTHS = {0, 3, 2, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 3, 0, 3, 0, 3};

    private static final int UNUSED_11_TO_138 = 0b00;
    private static final int UNUSED_3_TO_10 = 0b111;
    private static final int UNUSED = 0b010;
    private static final int ONE_BIT = 0b110;
    private static final int TWO_BITS = 0b001;
    private static final int THREE_BITS = 0b101;
    private static final int FOUR_BITS = 0b011;

    private final Ranged length;
    private final Ranged distance;

    /** @param length of the only match of the block, in bytes, at least 11
     * @param distance from the match back to its source, in bytes, at least 3 */
    RowCode(int length, int distance) {
        this.length = Ranged.ofLength(length);
        this.distance = Ranged.ofDistance(distance);
    }

    /** The byte of pixels of a pair. */
    static byte pixels(int pair) {
        return (byte) PIXELS[pair];
    }

    static void putPair(int pair, BitSink sink) {
        sink.put(LITERALS[pair], LITERAL_BITS[pair]);
    }

    /** Writes the match: length symbol with its extra bits, then distance symbol with its extra bits. */
    void putRepeat(BitSink sink) {
        sink.put(REPEAT, REPEAT_BITS);
        sink.put(length.extra(), length.extraBits());
        sink.put(DISTANCE, DISTANCE_BITS);
        sink.put(distance.extra(), distance.extraBits());
    }

    int repeatBits() {
        return REPEAT_BITS + length.extraBits() + DISTANCE_BITS + distance.extraBits();
    }

    /** Writes the header of the block, which is not the last one: the code length of every symbol (RFC 1951 §3.2.7). */
    void putHeader(BitSink sink) {
        sink.put(0b100, 3); // not the last block; dynamic Huffman codes
        sink.put(length.symbol() + 1 - 257, 5);
        sink.put(distance.symbol() + 1 - 1, 5);
        sink.put(HEADER_LENGTHS.length - 4, 4);
        for (int bits : HEADER_LENGTHS) {
            sink.put(bits, 3);
        }
        for (int pair = 0; pair < PIXELS.length; pair++) {
            putUnused(sink, pair == 0 ? 0 : PIXELS[pair] - PIXELS[pair - 1] - 1);
            sink.put(LITERAL_BITS[pair] == 3 ? THREE_BITS : TWO_BITS, 3);
        }
        sink.put(FOUR_BITS, 3); // end, symbol 256
        putUnused(sink, length.symbol() - 257);
        sink.put(FOUR_BITS, 3); // repeat
        putUnused(sink, distance.symbol() - 1);
        sink.put(ONE_BIT, 3);
        sink.put(ONE_BIT, 3);
    }

    private static void putUnused(BitSink sink, int symbols) {
        int left = symbols;
        while (left >= 11) {
            int run = Math.min(left, 138);
            sink.put(UNUSED_11_TO_138 | (run - 11) << 2, 2 + 7);
            left -= run;
        }
        if (left >= 3) {
            sink.put(UNUSED_3_TO_10 | (left - 3) << 3, 3 + 3);
            left = 0;
        }
        for (; left > 0; left--) {
            sink.put(UNUSED, 3);
        }
    }

    /** A length or distance in deflate: the symbol of its range, and its offset in the range as extra bits (RFC 1951 §3.2.5). */
    private record Ranged(int symbol, int extra, int extraBits) {

        static Ranged ofLength(int length) {
            int value = length - 3;
            int extraBits = log2(value) - 2;
            return new Ranged(261 + 4 * extraBits + (value >>> extraBits & 3), lowBits(value, extraBits), extraBits);
        }

        static Ranged ofDistance(int distance) {
            int value = distance - 1;
            int extraBits = log2(value) - 1;
            return new Ranged(2 + 2 * extraBits + (value >>> extraBits & 1), lowBits(value, extraBits), extraBits);
        }

        private static int log2(int value) {
            return 31 - Integer.numberOfLeadingZeros(value);
        }

        private static int lowBits(int value, int bits) {
            return value & ((1 << bits) - 1);
        }
    }

    /**
     * Writes bits to a byte array, lowest bit first, as deflate requires (RFC 1951 §3.1.1).
     *
     * <p>Every put stores eight bytes and advances by the complete ones, without a branch. The array therefore needs eight bytes more than the
     * output.
     */
    static final class BitSink {

        private static final VarHandle LONG =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

        private final byte[] bytes;
        private int fullBytes;
        private long pending;
        private int pendingBits;

        BitSink(byte[] bytes, int from) {
            this.bytes = bytes;
            this.fullBytes = from;
        }

        /** @param count 0 to 56; the bits above it are zero */
        void put(long bits, int count) {
            pending |= bits << pendingBits;
            pendingBits += count;
            LONG.set(bytes, fullBytes, pending);
            int full = pendingBits >>> 3;
            fullBytes += full;
            pending >>>= full << 3;
            pendingBits &= 7;
        }

        /** Fills an incomplete byte with zeros. */
        void align() {
            put(0, -pendingBits & 7);
        }

        /** The index of the incomplete byte, or of the next one. */
        int end() {
            return fullBytes;
        }
    }
}
