package dev.ligeiro.gateway.qrcode;

import com.google.zxing.EncodeHintType;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import com.sun.management.ThreadMXBean;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.imageio.ImageIO;

/**
 * Compares CPU time and allocation of the gateway's data URI with ZXing and the JDK's PNG writer, in turns on one thread. The
 * first turns warm up the JVM.
 *
 * <p>Run {@link #main} with the test class path. {@code gateway/RATIONALE.md} has results.
 */
final class QrCodeBenchmark {

    private static final int TURNS = 6;
    private static final long TURN_NANOS = 2_000_000_000L;
    private static final Map<EncodeHintType, Object> FIXED_MASK =
            Map.of(EncodeHintType.QR_MASK_PATTERN, QrCodeModules.MASK);

    private QrCodeBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        String text = BrCodeTexts.TYPICAL;
        Map<String, Callable<Integer>> paths = new LinkedHashMap<>();
        paths.put("QrCodeImage.dataUriBytes", () -> QrCodeImage.dataUriBytes(text).length);
        paths.put("QrCodeImage.dataUri", () -> QrCodeImage.dataUri(text).length());
        paths.put("ZXing fixed mask, no image", () -> matrix(text, FIXED_MASK).getWidth());
        paths.put("ZXing fixed mask + ImageIO", () -> dataUri(matrix(text, FIXED_MASK))
                .length());
        paths.put("ZXing mask search + ImageIO", () -> dataUri(matrix(text, Map.of()))
                .length());

        System.out.println(text.length() + " characters of text");
        ImageIO.setUseCache(false);
        for (int turn = 1; turn <= TURNS; turn++) {
            for (Map.Entry<String, Callable<Integer>> path : paths.entrySet()) {
                System.out.println(turn + " " + path.getKey() + ": " + measure(path.getValue()));
            }
        }
    }

    private static String measure(Callable<Integer> path) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long cpu = threads.getCurrentThreadCpuTime();
        long end = System.nanoTime() + TURN_NANOS;
        int result = 0;
        long calls = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 100; i++) {
                result = path.call();
            }
            calls += 100;
        }
        return String.format(
                "%.2f µs CPU, %d bytes allocated, result %d",
                (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / calls,
                (threads.getCurrentThreadAllocatedBytes() - allocated) / calls,
                result);
    }

    private static ByteMatrix matrix(String text, Map<EncodeHintType, Object> hints) throws Exception {
        return Encoder.encode(text, QrCodeLayout.LEVEL, hints).getMatrix();
    }

    private static String dataUri(ByteMatrix matrix) throws Exception {
        int pixels = (matrix.getWidth() + 8) * 4;
        BufferedImage image = new BufferedImage(pixels, pixels, BufferedImage.TYPE_BYTE_BINARY);
        for (int y = 0; y < pixels; y++) {
            for (int x = 0; x < pixels; x++) {
                image.setRGB(x, y, isDark(matrix, x / 4 - 4, y / 4 - 4) ? 0 : 0xffffff);
            }
        }
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(image, "png", png);
        return "data:image/png;base64," + Base64.getEncoder().encodeToString(png.toByteArray());
    }

    private static boolean isDark(ByteMatrix matrix, int x, int y) {
        int size = matrix.getWidth();
        return x >= 0 && y >= 0 && x < size && y < size && matrix.get(x, y) == 1;
    }
}
