package dev.ligeiro.gateway.qrcode;

/**
 * Computes the Adler-32 checksum (RFC 1950 §8.2) of pixel rows from sums of their bytes, four equal rows at a time.
 *
 * <p>The modulo is taken once, at the end: even the 70 kB of the largest QR code have a sum of sums below 2^40.
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

    /** Adds bytes of a row: their number, their sum and the sum of their running sums. */
    void add(int bytes, int bytesSum, int bytesSumOfSums) {
        rowSumOfSums += bytes * rowSum + bytesSumOfSums;
        rowSum += bytesSum;
    }

    void addLight(int bytes) {
        add(bytes, bytes * LIGHT, bytes * (bytes + 1) / 2 * LIGHT);
    }

    /** Ends a row, which occurs four times. Its filter byte is zero and adds nothing. */
    void endFourRows() {
        sumOfSums += 4 * rowBytes * sum; // the sum before the rows counts for each of their bytes
        sumOfSums += (3 + 2 + 1) * rowBytes * rowSum; // the sum of each row counts for each byte of the rows after it
        sumOfSums += 4 * rowSumOfSums;
        sum += 4 * rowSum;
        rowSum = 0;
        rowSumOfSums = 0;
    }

    int value() {
        return (int) (sumOfSums % BASE << 16 | sum % BASE);
    }
}
