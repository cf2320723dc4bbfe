package dev.ligeiro.gateway.qrcode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;

/**
 * The QR image of a BR Code as {@code data:image/png;base64,…}: error correction level L, the mask with the lowest penalty, 4 pixels a
 * module, quiet zone of 4 modules.
 *
 * <p>Thread-safe: calls share only immutable layouts. Each call allocates its buffers, some 20 kB.
 */
public final class QrCodeImage {

    /** The longest BR Code (BR Code manual). */
    public static final int LENGTH_MAX = 512;

    private static final byte[] PREFIX = "data:image/png;base64,".getBytes(ISO_8859_1);

    private QrCodeImage() {}

    /** @throws IllegalArgumentException when the text is not 1 to {@value #LENGTH_MAX} characters of printable ASCII */
    public static String dataUri(String text) {
        return new String(dataUriBytes(text), ISO_8859_1);
    }

    /** The ASCII bytes of {@link #dataUri}. */
    public static byte[] dataUriBytes(String text) {
        byte[] base64 = Base64.getEncoder().encode(png(text));
        byte[] uri = new byte[PREFIX.length + base64.length];
        System.arraycopy(PREFIX, 0, uri, 0, PREFIX.length);
        System.arraycopy(base64, 0, uri, PREFIX.length, base64.length);
        return uri;
    }

    static byte[] png(String text) {
        check(text);
        QrCodeLayout layout = QrCodeLayout.forLength(text.length());
        return layout.png().write(layout.draw(text));
    }

    private static void check(String text) {
        int length = text.length();
        if (length == 0 || length > LENGTH_MAX) {
            throw new IllegalArgumentException("text: " + length + " characters (expected: 1 to " + LENGTH_MAX + ")");
        }
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (character < ' ' || character > '~') {
                throw new IllegalArgumentException(
                        "text: character " + (int) character + " at " + i + " (expected: printable ASCII, 32 to 126)");
            }
        }
    }
}
