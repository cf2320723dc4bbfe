package dev.ligeiro.transaction;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Makes UUIDs of version 7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then 74 bits of a cryptographic generator, since an
 * id opens the public checkout page. Random bytes are drawn for a hundred ids at once: a draw per id would be most of its cost.
 */
public final class UuidV7 {

    private static final int RANDOM_BYTES_PER_ID = 10;
    private static final int IDS_PER_DRAW = 100;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final ThreadLocal<ByteBuffer> DRAWN = ThreadLocal.withInitial(
            () -> ByteBuffer.allocate(RANDOM_BYTES_PER_ID * IDS_PER_DRAW).limit(0));

    private UuidV7() {}

    /** A new UUID that carries {@code epochMilli}. */
    public static UUID at(long epochMilli) {
        ByteBuffer random = DRAWN.get();
        if (!random.hasRemaining()) {
            RANDOM.nextBytes(random.array());
            random.clear();
        }
        return new UUID(high(epochMilli, random.getShort()), 0x8000_0000_0000_0000L | (random.getLong() >>> 2));
    }

    /** The smallest UUID of version 7 at {@code epochMilli}: the inclusive lower bound of a range of ids by time. */
    public static UUID lowest(long epochMilli) {
        return new UUID(high(epochMilli, (short) 0), 0x8000_0000_0000_0000L);
    }

    /** The Unix milliseconds that {@code uuid} carries. */
    public static long epochMilli(UUID uuid) {
        return uuid.getMostSignificantBits() >>> 16;
    }

    private static long high(long epochMilli, short random) {
        return epochMilli << 16 | 0x7000L | (random & 0x0FFFL);
    }
}
