package dev.ligeiro.gateway.qrcode;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QrCodeImageTest {

    private static final long SIGNATURE = 0x89504e470d0a1a0aL;

    /** A static code with amount and txid, 190 characters. */
    private static final String TYPICAL = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000"
            + "5204000053039865409123456.785802BR5925Comercio de Alimentos S A6014Rio de Janeiro"
            + "62290525a1b2c3d4e5f6g7h8i9j0k1l2m6304D5D6";

    @Property(tries = 200)
    void everyPrintableTextReadsBack(
            @ForAll @CharRange(from = ' ', to = '~') @StringLength(min = 1, max = QrCodeImage.LENGTH_MAX) String text)
            throws Exception {
        assertThat(QrCodeReader.read(QrCodeImage.dataUri(text))).isEqualTo(text);
    }

    /** Compares version and mask too: ZXing chooses the smallest one and that with the lowest penalty itself. */
    @Test
    void everyModuleIsAsZxingDrawsIt() throws Exception {
        for (int length = 1; length <= QrCodeImage.LENGTH_MAX; length++) {
            String text = ofLength(length);
            ByteMatrix expected = Encoder.encode(text, QrCodeLayout.LEVEL).getMatrix();
            assertThat(modules(QrCodeReader.image(QrCodeImage.png(text)))).isEqualTo(expected.toString());
        }
    }

    @Test
    void theMarginIsLightAndFourModulesWide() throws Exception {
        BufferedImage image = QrCodeReader.image(QrCodeImage.png(TYPICAL));
        int size = image.getWidth();
        assertThat(image.getHeight()).isEqualTo(size).isEqualTo(4 * (4 + 49 + 4));
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                if (Math.min(Math.min(x, y), size - 1 - Math.max(x, y)) < 16) {
                    assertThat(isDark(image, x, y)).isFalse();
                }
            }
        }
        assertThat(isDark(image, 16, 16)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"120, 660", "190, 780", "512, 1600"})
    void theDataUriStaysSmall(int length, int charactersMax) {
        assertThat(QrCodeImage.dataUri(ofLength(length)))
                .startsWith("data:image/png;base64,")
                .hasSizeLessThanOrEqualTo(charactersMax);
    }

    @Test
    void otherTextsAreRefused() {
        Map.of(
                        "",
                        "0 characters (expected: 1 to 512)",
                        "a".repeat(513),
                        "513 characters (expected: 1 to 512)",
                        "São Paulo",
                        "character 227 at 1 (expected: printable ASCII, 32 to 126)",
                        "a\n",
                        "character 10 at 1 (expected: printable ASCII, 32 to 126)",
                        "a\u007f",
                        "character 127 at 1 (expected: printable ASCII, 32 to 126)")
                .forEach((text, fault) -> assertThatThrownBy(() -> QrCodeImage.dataUri(text))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("text: " + fault));
    }

    @Test
    void threadsDoNotDisturbEachOther() throws Exception {
        List<String> texts = IntStream.rangeClosed(1, QrCodeImage.LENGTH_MAX)
                .mapToObj(QrCodeImageTest::ofLength)
                .toList();
        Callable<List<String>> drawAll =
                () -> texts.stream().map(QrCodeImage::dataUri).toList();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<List<String>> drawn = new ArrayList<>();
            for (Future<List<String>> each : threads.invokeAll(
                    List.of(drawAll, drawAll, drawAll, drawAll, drawAll, drawAll, drawAll, drawAll))) {
                drawn.add(each.get());
            }
            assertThat(drawn).containsOnly(drawAll.call());
        } finally {
            threads.shutdownNow();
        }
    }

    /** The modules in the form of {@link ByteMatrix#toString}. */
    private static String modules(BufferedImage image) {
        StringBuilder modules = new StringBuilder();
        for (int y = 16; y < image.getHeight() - 16; y += 4) {
            for (int x = 16; x < image.getWidth() - 16; x += 4) {
                modules.append(isDark(image, x, y) ? " 1" : " 0");
            }
            modules.append('\n');
        }
        return modules.toString();
    }

    private static boolean isDark(BufferedImage image, int x, int y) {
        return (image.getRGB(x, y) & 0xffffff) == 0;
    }

    /**
     * Checks the file against the PNG and zlib specifications, which many readers do not enforce, in every size that a BR Code can have:
     * the largest length of each version at level L (ISO/IEC 18004 table 7; the last version is not filled), and its modules a
     * side.
     */
    @ParameterizedTest
    @CsvSource({
        "17, 21", "32, 25", "53, 29", "78, 33", "106, 37", "134, 41", "154, 45", "192, 49", "230, 53", "271, 57",
        "321, 61", "367, 65", "425, 69", "458, 73", "512, 77"
    })
    void theFileIsWellFormed(int length, int modules) throws Exception {
        int pixels = 4 * (4 + modules + 4);
        List<Chunk> chunks = chunks(QrCodeImage.png(ofLength(length)));

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

    /** Starts with a lower-case letter, so that ZXing chooses byte mode, as the gateway does. */
    private static String ofLength(int length) {
        return TYPICAL.substring(14).repeat(4).substring(0, length);
    }
}
