package dev.ligeiro.gateway.qrcode;

/** Texts of QR codes for tests. */
final class BrCodeTexts {

    /** A static code with amount and txid, 190 characters. */
    static final String TYPICAL = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000"
            + "5204000053039865409123456.785802BR5925Comercio de Alimentos S A6014Rio de Janeiro"
            + "62290525a1b2c3d4e5f6g7h8i9j0k1l2m6304D5D6";

    private BrCodeTexts() {}

    /** Starts with a lower-case letter, so that ZXing chooses byte mode, as the gateway does. */
    static String ofLength(int length) {
        return TYPICAL.substring(14).repeat(4).substring(0, length);
    }
}
