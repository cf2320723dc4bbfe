package dev.ligeiro.gateway.qrcode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bits into a byte array, lowest bit first, as deflate wants them (RFC 1951 §3.1.1).
 *
 * <p>Every put stores eight bytes and moves on by the full ones: no branch on how full the last byte is. The array therefore needs room
 * for eight bytes more than are written.
 */
final class BitSink {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private int fullBytes;
    private long pending;
    private int pendingBits;

    BitSink(byte[] bytes, int from) {
        this.bytes = bytes;
        this.fullBytes = from;
    }

    /** Goes on in another array, which starts with the same bytes. */
    BitSink(byte[] bytes, BitSink from) {
        this.bytes = bytes;
        this.fullBytes = from.fullBytes;
        this.pending = from.pending;
        this.pendingBits = from.pendingBits;
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

    /** Fills the byte begun, if any, with zeros. */
    void align() {
        put(0, -pendingBits & 7);
    }

    /** Where the byte begun is, or the next one starts. */
    int end() {
        return fullBytes;
    }
}
