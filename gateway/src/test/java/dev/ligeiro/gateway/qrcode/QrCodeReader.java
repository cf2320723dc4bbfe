package dev.ligeiro.gateway.qrcode;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.ReaderException;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * Decodes QR images with ZXing, in its mode for images that contain only a code. ZXing's search for a code in a photo fails on one of
 * fifty flawless images.
 */
final class QrCodeReader {

    private static final String PREFIX = "data:image/png;base64,";

    private QrCodeReader() {}

    static String read(String dataUri) throws IOException, ReaderException {
        BufferedImage image = image(Base64.getDecoder().decode(dataUri.substring(PREFIX.length())));
        int width = image.getWidth();
        int height = image.getHeight();
        int[] pixels = image.getRGB(0, 0, width, height, null, 0, width);
        HybridBinarizer binarizer = new HybridBinarizer(new RGBLuminanceSource(width, height, pixels));
        return new QRCodeReader()
                .decode(new BinaryBitmap(binarizer), Map.of(DecodeHintType.PURE_BARCODE, true))
                .getText();
    }

    static BufferedImage image(byte[] png) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png));
    }
}
