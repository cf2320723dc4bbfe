package dev.ligeiro.gateway.qrcode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes bits to a byte array, lowest bit first, as deflate requires (RFC 1951 §3.1.1).
 *
 * <p>Every put stores eight bytes and advances by the complete ones, without a branch. The array therefore needs eight bytes more than the
 * output.
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
