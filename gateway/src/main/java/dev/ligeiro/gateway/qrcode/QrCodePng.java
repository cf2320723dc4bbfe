package dev.ligeiro.gateway.qrcode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Writes the module rows of one size as a PNG: greyscale, one bit a pixel, no filter, one IDAT chunk.
 *
 * <p>A module row is four equal rows of pixels. The modules of the first are literals of {@link RowCode}. The bytes from there to the
 * modules of the next module row (right margin, three more rows, left margin) repeat those of one pixel row before, so they are a single
 * match. The quiet zones are compressed once, by the JDK's deflate. The pixels are also written to an array, for the checksum.
 */
final class QrCodePng {

    static final int PIXELS_PER_MODULE = 4;
    static final int QUIET_MODULES = 4;

    private static final int QUIET_PIXELS = QUIET_MODULES * PIXELS_PER_MODULE;
    /** The filter type, then one byte for two modules. On the right, the last byte of the row already holds half a light pair. */
    private static final int LEFT_BYTES = 1 + QUIET_MODULES / 2;

    private static final int RIGHT_BYTES = QUIET_MODULES / 2;

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final byte[] ZLIB_HEADER = {0x78, 0x01};
    private static final int STORED_BLOCK = 0b000;
    private static final int STORED_BLOCK_BITS = 3;
    private static final byte[] STORED_NOTHING = {0, 0, (byte) 0xff, (byte) 0xff};
    private static final int IMAGE_HEADER_BYTES = 13;
    private static final int CHUNK_FRAME_BYTES = 4 + 4 + 4;
    private static final int IDAT_AT = SIGNATURE.length + IMAGE_HEADER_BYTES + CHUNK_FRAME_BYTES;
    private static final int TRAILER_BYTES = 4 + 4 + CHUNK_FRAME_BYTES;
    private static final int BLOCK_HEADER_BYTES_MAX = 64;

    private final int size;
    private final int pairs;
    private final int rowBytes;
    private final RowCode code;
    private final byte[] blank;
    private final byte[] head;
    private final byte[] closing;
    private final int bytesMax;

    /** @param size modules a side, without the quiet zone */
    QrCodePng(int size) {
        this.size = size;
        pairs = (size + 1) / 2;
        rowBytes = LEFT_BYTES + pairs + RIGHT_BYTES;
        code = new RowCode(PIXELS_PER_MODULE * rowBytes - pairs, rowBytes);
        blank = lightRows(size * PIXELS_PER_MODULE + 2 * QUIET_PIXELS);
        head = head();
        closing = closing();
        int rowBitsMax = RowCode.LITERAL_BITS_MAX * pairs + code.repeatBits();
        bytesMax = head.length
                + BLOCK_HEADER_BYTES_MAX
                + size * rowBitsMax / 8
                + closing.length
                + TRAILER_BYTES
                + Long.BYTES;
    }

    /** @param modules rows as {@link QrCodeModules} packs them */
    byte[] write(byte[] modules) {
        byte[] png = Arrays.copyOf(head, bytesMax);
        byte[] pixels = blank.clone();
        RowCode.BitSink sink = new RowCode.BitSink(png, head.length);
        code.putHeader(sink);
        int moduleBytes = modules.length / size;
        for (int row = 0; row < size; row++) {
            putRow(modules, row * moduleBytes, sink, pixels, (QUIET_PIXELS + row * PIXELS_PER_MODULE) * rowBytes);
        }
        sink.put(RowCode.END, RowCode.END_BITS);
        sink.put(STORED_BLOCK, STORED_BLOCK_BITS);
        sink.align();
        return finish(png, sink.end(), pixels);
    }

    /**
     * @param from the first byte of the row in {@code modules}
     * @param to the first byte of its pixels
     */
    private void putRow(byte[] modules, int from, RowCode.BitSink sink, byte[] pixels, int to) {
        for (int pair = 0; pair < pairs; pair++) {
            int two = modules[from + pair / 4] >>> (6 - pair % 4 * 2) & 0b11;
            RowCode.putPair(two, sink);
            pixels[to + LEFT_BYTES + pair] = RowCode.pixels(two);
        }
        code.putRepeat(sink);
        for (int row = 1; row < PIXELS_PER_MODULE; row++) {
            System.arraycopy(pixels, to, pixels, to + row * rowBytes, rowBytes);
        }
    }

    private byte[] finish(byte[] png, int at, byte[] pixels) {
        Adler32 checksum = new Adler32();
        checksum.update(pixels);
        ByteBuffer buffer = ByteBuffer.wrap(png).position(at).put(closing).putInt((int) checksum.getValue());
        buffer.putInt(IDAT_AT, buffer.position() - IDAT_AT - 4 - 4);
        putCrc(buffer, IDAT_AT);
        putChunk(buffer, "IEND", new byte[0]);
        return Arrays.copyOf(png, buffer.position());
    }

    /**
     * The bytes before the block of the rows. The length of the IDAT chunk is filled in later. They include the left margin of the first
     * module row; the matches copy it to the other rows.
     */
    private byte[] head() {
        byte[] quiet = deflate(Arrays.copyOf(blank, QUIET_PIXELS * rowBytes + LEFT_BYTES), false);
        ByteBuffer head = ByteBuffer.allocate(IDAT_AT + 4 + 4 + ZLIB_HEADER.length + quiet.length);
        head.put(SIGNATURE);
        putChunk(head, "IHDR", imageHeader());
        head.putInt(0).put("IDAT".getBytes(US_ASCII)).put(ZLIB_HEADER).put(quiet);
        return head.array();
    }

    /**
     * The bytes from the end of the rows to the checksum. They are precomputed, so they must start at a byte boundary. An empty stored block
     * before them ensures that; this starts with the length of that block. The last match has written the first left margin.
     */
    private byte[] closing() {
        byte[] quiet = deflate(Arrays.copyOfRange(blank, LEFT_BYTES, QUIET_PIXELS * rowBytes), true);
        return ByteBuffer.allocate(STORED_NOTHING.length + quiet.length)
                .put(STORED_NOTHING)
                .put(quiet)
                .array();
    }

    /** Width and height; one bit a pixel, greyscale, deflate, standard filters, not interlaced. */
    private byte[] imageHeader() {
        int pixels = size * PIXELS_PER_MODULE + 2 * QUIET_PIXELS;
        return ByteBuffer.allocate(IMAGE_HEADER_BYTES)
                .putInt(pixels)
                .putInt(pixels)
                .put(new byte[] {1, 0, 0, 0, 0})
                .array();
    }

    private static void putChunk(ByteBuffer buffer, String type, byte[] content) {
        int at = buffer.position();
        buffer.putInt(content.length).put(type.getBytes(US_ASCII)).put(content);
        putCrc(buffer, at);
    }

    /** Appends the CRC of the type and content of a chunk. */
    private static void putCrc(ByteBuffer buffer, int chunkAt) {
        CRC32 crc = new CRC32();
        crc.update(buffer.array(), chunkAt + 4, buffer.position() - chunkAt - 4);
        buffer.putInt((int) crc.getValue());
    }

    private byte[] lightRows(int rows) {
        byte[] pixels = new byte[rows * rowBytes];
        Arrays.fill(pixels, (byte) 0xff);
        for (int row = 0; row < rows; row++) {
            pixels[row * rowBytes] = 0;
        }
        return pixels;
    }

    /** @param last whether these are the last blocks of the stream; otherwise they end at a byte boundary, so that others can follow */
    private static byte[] deflate(byte[] pixels, boolean last) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(pixels);
            if (last) {
                deflater.finish();
            }
            byte[] deflated = new byte[256];
            int length = deflater.deflate(deflated, 0, deflated.length, last ? Deflater.NO_FLUSH : Deflater.SYNC_FLUSH);
            return Arrays.copyOf(deflated, length);
        } finally {
            deflater.end();
        }
    }
}
