package dev.ligeiro.gateway.qrcode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Chooses among the eight masks of one version the one with the lowest penalty (ISO/IEC 18004 §7.8.3): readers look for the finder patterns
 * first, and a mask with large areas or similar patterns misleads some of them.
 *
 * <p>A line of modules is one or two longs, the first module in the highest bit; 1 is dark. A step compares whole lines, so it serves all
 * columns of the code at once; the rows are done by the same steps on the transposed code. In a code wider than 64 modules, the second long
 * begins with the last module of the first one, so that each pair of neighbours is in one long.
 */
final class QrCodeMask {

    static final int MASKS = 8;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int PENALTY_BLOCK = 3;
    private static final int PENALTY_FINDER = 40;
    private static final int PENALTY_BALANCE = 10;

    private final int size;
    private final int rowBytes;
    private final int words;
    /** The codes without data of each mask, by rows and by columns. */
    private final long[][] rows = new long[MASKS][];

    private final long[][] columns = new long[MASKS][];

    /** @param blanks for each mask the modules without data, in rows as of {@link QrCodeModules} */
    QrCodeMask(int size, byte[][] blanks) {
        this.size = size;
        this.rowBytes = (size + 7) / 8;
        this.words = size <= Long.SIZE ? 1 : 2;
        for (int mask = 0; mask < MASKS; mask++) {
            byte[] dark = new byte[blanks[mask].length];
            for (int i = 0; i < dark.length; i++) {
                dark[i] = (byte) ~blanks[mask][i];
            }
            rows[mask] = lines(dark);
            columns[mask] = lines(transposed(dark));
        }
    }

    /** @param flips the modules that the data flips, in the same rows */
    int best(byte[] flips) {
        long[] flippedRows = lines(flips);
        long[] flippedColumns = lines(transposed(flips));
        int best = 0;
        int lowest = Integer.MAX_VALUE;
        long[] byRow = new long[words * size];
        long[] byColumn = new long[words * size];
        for (int mask = 0; mask < MASKS; mask++) {
            for (int i = 0; i < byRow.length; i++) {
                byRow[i] = rows[mask][i] ^ flippedRows[i];
                byColumn[i] = columns[mask][i] ^ flippedColumns[i];
            }
            int penalty = penalty(byRow, byColumn);
            if (penalty < lowest) {
                lowest = penalty;
                best = mask;
            }
        }
        return best;
    }

    private int penalty(long[] byRow, long[] byColumn) {
        int penalty = 0;
        int dark = 0;
        for (int word = 0; word < words; word++) {
            // the module that both longs have counts once
            long own = word == 0 ? modules(Math.min(size, Long.SIZE)) : modules(size - (Long.SIZE - 1)) << 1 >>> 1;
            penalty += alongLines(byRow, word * size, own) + alongLines(byColumn, word * size, own);
            penalty += PENALTY_BLOCK * blocks(byRow, word);
            for (int y = 0; y < size; y++) {
                dark += Long.bitCount(byRow[word * size + y] & own);
            }
        }
        int modules = size * size;
        return penalty + Math.abs(2 * dark - modules) * 10 / modules * PENALTY_BALANCE;
    }

    /** Runs of at least five modules of one colour, and patterns like those of the finders, in each of the columns {@code own}. */
    private int alongLines(long[] lines, int from, long own) {
        int penalty = 0;
        long before = 0;
        int end = from + size;
        for (int y = from; y + 4 < end; y++) {
            long first = lines[y];
            long run =
                    own & ~(first ^ lines[y + 1] | first ^ lines[y + 2] | first ^ lines[y + 3] | first ^ lines[y + 4]);
            // 3 for a run of five and 1 for each further module
            penalty += Long.bitCount(run) + 2 * Long.bitCount(run & ~before);
            before = run;
        }
        for (int y = from; y + 6 < end; y++) {
            long finder = own
                    & lines[y]
                    & ~lines[y + 1]
                    & lines[y + 2]
                    & lines[y + 3]
                    & lines[y + 4]
                    & ~lines[y + 5]
                    & lines[y + 6];
            if (finder != 0) {
                long lightBefore = y - 4 < from ? 0 : light(lines, y - 4);
                long lightAfter = y + 10 < end ? light(lines, y + 7) : 0;
                penalty += PENALTY_FINDER * Long.bitCount(finder & (lightBefore | lightAfter));
            }
        }
        return penalty;
    }

    private static long light(long[] lines, int from) {
        return ~(lines[from] | lines[from + 1] | lines[from + 2] | lines[from + 3]);
    }

    /** The blocks of two by two modules of one colour. */
    private int blocks(long[] lines, int word) {
        long pairs = word == 0 ? modules(Math.min(size, Long.SIZE) - 1) : modules(size - Long.SIZE);
        int blocks = 0;
        int end = (word + 1) * size;
        for (int y = word * size; y + 1 < end; y++) {
            long differsBelow = lines[y] ^ lines[y + 1];
            blocks += Long.bitCount(pairs & ~(differsBelow | differsBelow << 1 | lines[y] ^ lines[y] << 1));
        }
        return blocks;
    }

    private static long modules(int count) {
        return count == 0 ? 0 : -1L << Long.SIZE - count;
    }

    private long[] lines(byte[] bytes) {
        byte[] padded = Arrays.copyOf(bytes, size * rowBytes + 2 * Long.BYTES);
        long[] lines = new long[words * size];
        for (int y = 0; y < size; y++) {
            lines[y] = (long) LONG.get(padded, y * rowBytes) & modules(Math.min(size, Long.SIZE));
            if (words == 2) {
                lines[size + y] = (long) LONG.get(padded, y * rowBytes + 7) << 7 & modules(size - (Long.SIZE - 1));
            }
        }
        return lines;
    }

    /** Eight by eight modules at a time. */
    private byte[] transposed(byte[] bytes) {
        byte[] transposed = new byte[rowBytes * 8 * rowBytes];
        for (int top = 0; top < rowBytes; top++) {
            int rowsLeft = Math.min(8, size - top * 8);
            for (int left = 0; left < rowBytes; left++) {
                long block = 0;
                for (int y = 0; y < rowsLeft; y++) {
                    block |= (bytes[(top * 8 + y) * rowBytes + left] & 0xffL) << 56 - 8 * y;
                }
                block = transposed(block);
                for (int x = 0; x < 8; x++) {
                    transposed[(left * 8 + x) * rowBytes + top] = (byte) (block >>> 56 - 8 * x);
                }
            }
        }
        return transposed;
    }

    /** Swaps bits, then squares of 2 by 2 and of 4 by 4 bits, on both sides of the diagonal. */
    private static long transposed(long block) {
        long swap = (block ^ block >>> 7) & 0x00aa00aa00aa00aaL;
        long result = block ^ swap ^ swap << 7;
        swap = (result ^ result >>> 14) & 0x0000cccc0000ccccL;
        result ^= swap ^ swap << 14;
        swap = (result ^ result >>> 28) & 0x00000000f0f0f0f0L;
        return result ^ swap ^ swap << 28;
    }
}
