package dev.ligeiro.gateway.qrcode;

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
}
