package dev.ligeiro.gateway.qrcode;

/**
 * The Adler-32 (RFC 1950 §8.2) of pixel rows that come four at a time, worked out from what their bytes add up to instead of from bytes.
 *
 * <p>The remainder is taken once, at the end: even the 70 kB of the largest QR Code there is sum up to less than 2^40.
 */
final class PixelChecksum {

    private static final int BASE = 65_521;
    private static final int LIGHT = 0xff;

    private final int rowBytes;
    private long sum = 1;
    private long sumOfSums;
    private long rowSum;
    private long rowSumOfSums;

    PixelChecksum(int rowBytes) {
        this.rowBytes = rowBytes;
    }

    /** So many bytes of the row, their sum, and the sum of their running sums. */
    void add(int bytes, int bytesSum, int bytesSumOfSums) {
        rowSumOfSums += bytes * rowSum + bytesSumOfSums;
        rowSum += bytesSum;
    }

    void addLight(int bytes) {
        add(bytes, bytes * LIGHT, bytes * (bytes + 1) / 2 * LIGHT);
    }

    /** The row is complete and there four times. Its filter byte is a zero at the start, which adds nothing. */
    void endFourRows() {
        sumOfSums += 4 * rowBytes * sum; // what came before runs on through all four
        sumOfSums += (3 + 2 + 1) * rowBytes * rowSum; // each of the four, through those after it
        sumOfSums += 4 * rowSumOfSums;
        sum += 4 * rowSum;
        rowSum = 0;
        rowSumOfSums = 0;
    }

    int value() {
        return (int) (sumOfSums % BASE << 16 | sum % BASE);
    }
}
