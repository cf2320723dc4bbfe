package dev.ligeiro.infra.standalone.endtoend;

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

/** Reads a QR code with a decoder that is not ours. */
final class QrCode {

    private static final String PREFIX = "data:image/png;base64,";

    private QrCode() {}

    /** @param dataUri a PNG image */
    static String read(String dataUri) throws IOException, ReaderException {
        byte[] png = Base64.getDecoder().decode(dataUri.substring(PREFIX.length()));
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        int width = image.getWidth();
        int height = image.getHeight();
        int[] pixels = image.getRGB(0, 0, width, height, null, 0, width);
        HybridBinarizer binarizer = new HybridBinarizer(new RGBLuminanceSource(width, height, pixels));
        return new QRCodeReader()
                .decode(new BinaryBitmap(binarizer), Map.of(DecodeHintType.PURE_BARCODE, true))
                .getText();
    }
}
