package dev.ligeiro.gateway.qrcode;

import com.google.zxing.EncodeHintType;
import com.google.zxing.WriterException;
import com.google.zxing.qrcode.decoder.Version;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import java.util.Arrays;
import java.util.Map;

/**
 * The modules of one version: for each mask their values without data (function patterns and mask), and the positions that each codeword
 * flips.
 *
 * <p>A byte holds eight modules of a row, the leftmost in the highest bit; 1 is light. Every row starts with a new byte and is padded
 * with light modules. The order of {@code cells} includes the interleaving of blocks, so drawing a code does not compute it.
 */
final class QrCodeModules {

    private final Version version;
    private final int size;
    private final int rowBytes;
    /** By mask. */
    private final byte[][] blanks = new byte[QrCodeMask.MASKS][];

    private final QrCodeMask mask;
    /** The position of each bit of each codeword, in bits from the start of the rows. */
    private final short[] cells;

    QrCodeModules(Version version, int[] blockEnds) {
        this.version = version;
        size = version.getDimensionForVersion();
        rowBytes = (size + 7) / 8;
        for (int i = 0; i < blanks.length; i++) {
            blanks[i] = blank(i);
        }
        mask = new QrCodeMask(size, blanks);
        cells = cells(interleaved(version.getTotalCodewords(), blockEnds));
    }

    /** @param codewords the data of all blocks, then the error correction of all blocks */
    byte[] draw(byte[] codewords) {
        byte[] rows = new byte[size * rowBytes];
        int at = 0;
        for (byte codeword : codewords) {
            for (int bits = codeword, end = at + 8; at < end; at++, bits <<= 1) {
                int cell = cells[at];
                rows[cell >>> 3] ^= (byte) ((bits & 0x80) >>> (cell & 7));
            }
        }
        byte[] blank = blanks[mask.best(rows)];
        for (int i = 0; i < rows.length; i++) {
            rows[i] ^= blank[i];
        }
        return rows;
    }

    private byte[] blank(int withMask) {
        ByteMatrix patterns = patterns(withMask);
        byte[] rows = new byte[size * rowBytes];
        Arrays.fill(rows, (byte) 0xff);
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                boolean dark = isFunction(x, y) ? patterns.get(x, y) == 1 : isMasked(withMask, x, y);
                if (dark) {
                    int cell = cell(x, y);
                    rows[cell >>> 3] ^= (byte) (0x80 >>> (cell & 7));
                }
            }
        }
        return rows;
    }

    /** A code of this version and mask, drawn by ZXing: function patterns, format and version information are the same in every one. */
    private ByteMatrix patterns(int withMask) {
        try {
            return Encoder.encode(
                            "any",
                            QrCodeLayout.LEVEL,
                            Map.of(
                                    EncodeHintType.QR_VERSION,
                                    version.getVersionNumber(),
                                    EncodeHintType.QR_MASK_PATTERN,
                                    withMask))
                    .getMatrix();
        } catch (WriterException e) {
            throw new IllegalStateException(
                    "version: " + version.getVersionNumber() + " (expected: room for 3 letters)", e);
        }
    }

    /** ISO/IEC 18004 §7.8.2 */
    private static boolean isMasked(int mask, int x, int y) {
        return switch (mask) {
            case 0 -> (x + y) % 2 == 0;
            case 1 -> y % 2 == 0;
            case 2 -> x % 3 == 0;
            case 3 -> (x + y) % 3 == 0;
            case 4 -> (x / 3 + y / 2) % 2 == 0;
            case 5 -> x * y % 2 + x * y % 3 == 0;
            case 6 -> (x * y % 2 + x * y % 3) % 2 == 0;
            default -> ((x + y) % 2 + x * y % 3) % 2 == 0;
        };
    }

    /** Pairs of columns from the right, alternately upwards and downwards (ISO/IEC 18004 §7.7.3). Up to 7 cells remain without data. */
    private short[] cells(int[] order) {
        short[] cells = new short[order.length * 8];
        int bit = 0;
        boolean up = true;
        for (int right = size - 1; right > 0; right -= 2, up = !up) {
            if (right == 6) {
                right--;
            }
            for (int step = 0; step < size; step++) {
                int y = up ? size - 1 - step : step;
                for (int x = right; x >= right - 1; x--) {
                    if (!isFunction(x, y) && bit < cells.length) {
                        cells[order[bit / 8] * 8 + bit % 8] = (short) cell(x, y);
                        bit++;
                    }
                }
            }
        }
        return cells;
    }

    /** The index of each codeword in the order of drawing, which interleaves the blocks (ISO/IEC 18004 §7.6). */
    private static int[] interleaved(int codewords, int[] blockEnds) {
        int blocks = blockEnds.length;
        int data = blockEnds[blocks - 1];
        int correctionPerBlock = (codewords - data) / blocks;
        int[] order = new int[codewords];
        int at = 0;
        for (int i = 0; at < data; i++) {
            for (int block = 0; block < blocks; block++) {
                int index = (block == 0 ? 0 : blockEnds[block - 1]) + i;
                if (index < blockEnds[block]) {
                    order[at++] = index;
                }
            }
        }
        for (int i = 0; i < correctionPerBlock; i++) {
            for (int block = 0; block < blocks; block++) {
                order[at++] = data + block * correctionPerBlock + i;
            }
        }
        return order;
    }

    private int cell(int x, int y) {
        return y * rowBytes * 8 + x;
    }

    private boolean isFunction(int x, int y) {
        return x == 6 || y == 6 || isFinderOrFormat(x, y) || isVersion(x, y) || isAlignment(x, y);
    }

    private boolean isFinderOrFormat(int x, int y) {
        return x < 9 && (y < 9 || y >= size - 8) || x >= size - 8 && y < 9;
    }

    private boolean isVersion(int x, int y) {
        return version.getVersionNumber() >= 7 && (x < 6 && y >= size - 11 || y < 6 && x >= size - 11);
    }

    private boolean isAlignment(int x, int y) {
        for (int centerX : version.getAlignmentPatternCenters()) {
            for (int centerY : version.getAlignmentPatternCenters()) {
                if (Math.abs(x - centerX) <= 2 && Math.abs(y - centerY) <= 2 && !isFinderOrFormat(centerX, centerY)) {
                    return true;
                }
            }
        }
        return false;
    }
}
