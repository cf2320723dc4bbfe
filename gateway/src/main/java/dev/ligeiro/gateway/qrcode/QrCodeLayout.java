package dev.ligeiro.gateway.qrcode;

import com.google.zxing.common.reedsolomon.GenericGF;
import com.google.zxing.common.reedsolomon.ReedSolomonEncoder;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import com.google.zxing.qrcode.decoder.Version;
import com.google.zxing.qrcode.decoder.Version.ECB;
import com.google.zxing.qrcode.decoder.Version.ECBlocks;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The part that all QR codes of one version share. Drawing a code encodes the text, appends the error correction and flips modules.
 *
 * <p>Immutable. A layout is built at the first use of its version and then kept: about 40 kB each, 15 at most.
 */
final class QrCodeLayout {

    /** The lowest level has the largest modules. On a screen their size matters more than error correction (RATIONALE.md). */
    static final ErrorCorrectionLevel LEVEL = ErrorCorrectionLevel.L;

    private static final int BYTE_MODE = 0b0100;
    private static final int[] PADDING = {0xec, 0x11};
    private static final byte[] VERSIONS = versionsByLength();
    private static final int VERSION_MAX = 40;
    private static final AtomicReferenceArray<QrCodeLayout> LAYOUTS = new AtomicReferenceArray<>(VERSION_MAX + 1);

    private final int lengthBits;
    private final int[] blockEnds;
    private final int correctionPerBlock;
    private final ReedSolomon reedSolomon;
    private final int totalCodewords;
    private final QrCodeModules modules;
    private final QrCodePng png;

    private QrCodeLayout(Version version) {
        ECBlocks blocks = version.getECBlocksForLevel(LEVEL);
        lengthBits = lengthBits(version);
        blockEnds = blockEnds(blocks);
        correctionPerBlock = blocks.getECCodewordsPerBlock();
        reedSolomon = new ReedSolomon(correctionPerBlock);
        totalCodewords = version.getTotalCodewords();
        modules = new QrCodeModules(version, blockEnds);
        png = new QrCodePng(version.getDimensionForVersion());
    }

    /** The smallest layout for a text of this length. When two threads build the same one at once, either is used. */
    static QrCodeLayout forLength(int length) {
        int version = VERSIONS[length];
        QrCodeLayout layout = LAYOUTS.get(version);
        if (layout == null) {
            layout = new QrCodeLayout(Version.getVersionForNumber(version));
            LAYOUTS.set(version, layout);
        }
        return layout;
    }

    QrCodePng png() {
        return png;
    }

    /** The modules of an ASCII text that fits, in the rows of {@link QrCodeModules}. */
    byte[] draw(String text) {
        byte[] codewords = encode(text);
        correct(codewords);
        return modules.draw(codewords);
    }

    /** Mode, length, text and padding (ISO/IEC 18004 §7.4). The mode has 4 bits, so all later bytes are shifted by half a codeword. */
    private byte[] encode(String text) {
        byte[] codewords = new byte[totalCodewords];
        int length = text.length();
        int at = 0;
        int previous = BYTE_MODE;
        for (int shift = lengthBits - 8; shift >= 0; shift -= 8) {
            int next = length >>> shift & 0xff;
            codewords[at++] = (byte) (previous << 4 | next >>> 4);
            previous = next;
        }
        for (int i = 0; i < length; i++) {
            int next = text.charAt(i);
            codewords[at++] = (byte) (previous << 4 | next >>> 4);
            previous = next;
        }
        codewords[at++] = (byte) (previous << 4);
        int end = dataCodewords();
        for (int i = 0; at < end; i ^= 1) {
            codewords[at++] = (byte) PADDING[i];
        }
        return codewords;
    }

    private void correct(byte[] codewords) {
        int from = 0;
        int at = dataCodewords();
        for (int to : blockEnds) {
            reedSolomon.append(codewords, from, to, at);
            from = to;
            at += correctionPerBlock;
        }
    }

    private int dataCodewords() {
        return blockEnds[blockEnds.length - 1];
    }

    private static int lengthBits(Version version) {
        return version.getVersionNumber() < 10 ? 8 : 16;
    }

    private static int[] blockEnds(ECBlocks blocks) {
        int[] ends = new int[blocks.getNumBlocks()];
        int block = 0;
        int end = 0;
        for (ECB group : blocks.getECBlocks()) {
            for (int i = 0; i < group.getCount(); i++) {
                end += group.getDataCodewords();
                ends[block++] = end;
            }
        }
        return ends;
    }

    private static byte[] versionsByLength() {
        byte[] versions = new byte[QrCodeImage.LENGTH_MAX + 1];
        int from = 0;
        for (int number = 1; from < versions.length; number++) {
            int to = Math.min(capacity(Version.getVersionForNumber(number)) + 1, versions.length);
            Arrays.fill(versions, from, to, (byte) number);
            from = to;
        }
        return versions;
    }

    /** The number of bytes that fit. Mode and end take half a codeword each. */
    private static int capacity(Version version) {
        int correction = version.getECBlocksForLevel(LEVEL).getTotalECCodewords();
        return version.getTotalCodewords() - correction - 1 - lengthBits(version) / 8;
    }

    /**
     * Computes the error correction codewords of one block (ISO/IEC 18004 §7.5), with one table look-up per byte.
     *
     * <p>The polynomial division is linear, so a table holds the remainder of each of the 256 leading bytes, computed by ZXing's encoder. The
     * running remainder, at most 30 bytes, is held in four longs, the first byte in the highest bits of the first long.
     */
    private static final class ReedSolomon {

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
}
