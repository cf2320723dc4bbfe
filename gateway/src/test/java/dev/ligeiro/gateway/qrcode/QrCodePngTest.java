package dev.ligeiro.gateway.qrcode;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the file against the PNG and zlib specifications, which many readers do not enforce, in every size that a BR Code can
 * have.
 */
class QrCodePngTest {

    private static final long SIGNATURE = 0x89504e470d0a1a0aL;

    /**
     * The largest length of each version at level L (ISO/IEC 18004 table 7; the last version is not filled), and its modules a
     * side.
     */
    @ParameterizedTest
    @CsvSource({
        "17, 21", "32, 25", "53, 29", "78, 33", "106, 37", "134, 41", "154, 45", "192, 49", "230, 53", "271, 57",
        "321, 61", "367, 65", "425, 69", "458, 73", "512, 77"
    })
    void theFileIsWellFormed(int length, int modules) throws Exception {
        int pixels = 4 * (4 + modules + 4);
        List<Chunk> chunks = chunks(QrCodeImage.png(BrCodeTexts.ofLength(length)));

        assertThat(chunks).extracting(Chunk::type).containsExactly("IHDR", "IDAT", "IEND");
        assertThat(chunks.get(0).content())
                .isEqualTo(ByteBuffer.allocate(13)
                        .putInt(pixels)
                        .putInt(pixels)
                        .put(new byte[] {1, 0, 0, 0, 0})
                        .array());
        byte[] rows = inflate(chunks.get(1).content());
        assertThat(chunks.get(2).content()).isEmpty();
        int rowBytes = 1 + (pixels + 7) / 8;
        assertThat(rows).hasSize(pixels * rowBytes);
        for (int row = 0; row < pixels; row++) {
            assertThat(rows[row * rowBytes]).as("filter type").isZero();
        }
    }

    private record Chunk(String type, byte[] content) {}

    private static List<Chunk> chunks(byte[] png) {
        List<Chunk> chunks = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(png);
        assertThat(buffer.getLong()).isEqualTo(SIGNATURE);
        while (buffer.hasRemaining()) {
            byte[] content = new byte[buffer.getInt()];
            byte[] type = new byte[4];
            buffer.get(type).get(content);
            CRC32 crc = new CRC32();
            crc.update(type);
            crc.update(content);
            assertThat(buffer.getInt()).as("CRC").isEqualTo((int) crc.getValue());
            chunks.add(new Chunk(new String(type, US_ASCII), content));
        }
        return chunks;
    }

    /** Inflates up to the end of the last block; the inflater checks the Adler-32. */
    private static byte[] inflate(byte[] zlib) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(zlib);
            ByteBuffer pixels = ByteBuffer.allocate(100_000);
            while (!inflater.finished()) {
                assertThat(inflater.inflate(pixels)).isPositive();
            }
            assertThat(inflater.getRemaining()).isZero();
            byte[] rows = new byte[pixels.position()];
            pixels.flip().get(rows);
            return rows;
        } finally {
            inflater.end();
        }
    }
}
