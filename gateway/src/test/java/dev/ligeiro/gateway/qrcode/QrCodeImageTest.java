package dev.ligeiro.gateway.qrcode;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.zxing.EncodeHintType;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import dev.ligeiro.testing.qrcode.QrCodeReader;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QrCodeImageTest {

    @Test
    void everyLengthReadsBack() throws Exception {
        for (int length = 1; length <= QrCodeImage.LENGTH_MAX; length++) {
            String text = BrCodeTexts.ofLength(length);
            assertThat(QrCodeReader.read(QrCodeImage.dataUri(text))).isEqualTo(text);
        }
    }

    @Property(tries = 200)
    void everyPrintableTextReadsBack(
            @ForAll @CharRange(from = ' ', to = '~') @StringLength(min = 1, max = QrCodeImage.LENGTH_MAX) String text)
            throws Exception {
        assertThat(QrCodeReader.read(QrCodeImage.dataUri(text))).isEqualTo(text);
    }

    /** Compares the version too: ZXing chooses the smallest one itself. */
    @Test
    void everyModuleIsAsZxingDrawsIt() throws Exception {
        for (int length = 1; length <= QrCodeImage.LENGTH_MAX; length++) {
            String text = BrCodeTexts.ofLength(length);
            ByteMatrix expected = Encoder.encode(
                            text, QrCodeLayout.LEVEL, Map.of(EncodeHintType.QR_MASK_PATTERN, QrCodeModules.MASK))
                    .getMatrix();
            assertThat(modules(QrCodeReader.image(QrCodeImage.png(text)))).isEqualTo(expected.toString());
        }
    }

    @Test
    void theMarginIsLightAndFourModulesWide() throws Exception {
        BufferedImage image = QrCodeReader.image(QrCodeImage.png(BrCodeTexts.TYPICAL));
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
        assertThat(QrCodeImage.dataUri(BrCodeTexts.ofLength(length)))
                .startsWith("data:image/png;base64,")
                .hasSizeLessThanOrEqualTo(charactersMax);
    }

    @Test
    void bytesAreThoseOfTheString() {
        assertThat(QrCodeImage.dataUriBytes(BrCodeTexts.TYPICAL))
                .isEqualTo(QrCodeImage.dataUri(BrCodeTexts.TYPICAL).getBytes(US_ASCII));
    }

    @Test
    void otherTextsAreRefused() {
        assertThatThrownBy(() -> QrCodeImage.dataUri(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("text: 0 characters (expected: 1 to 512)");
        assertThatThrownBy(() -> QrCodeImage.dataUri("a".repeat(513)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("text: 513 characters (expected: 1 to 512)");
        assertThatThrownBy(() -> QrCodeImage.dataUri("São Paulo"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("text: character 227 at 1 (expected: printable ASCII, 32 to 126)");
        assertThatThrownBy(() -> QrCodeImage.dataUriBytes("a\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("text: character 10 at 1 (expected: printable ASCII, 32 to 126)");
        assertThatThrownBy(() -> QrCodeImage.dataUriBytes("a\u007f"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("text: character 127 at 1 (expected: printable ASCII, 32 to 126)");
    }

    @Test
    void threadsDoNotDisturbEachOther() throws Exception {
        List<String> texts = IntStream.rangeClosed(1, QrCodeImage.LENGTH_MAX)
                .mapToObj(BrCodeTexts::ofLength)
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
}
