package dev.ligeiro.gateway.qrcode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.zip.Adler32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PixelChecksumTest {

    @Property(tries = 200)
    void valueIsTheAdler32OfRowsFourTimesEach(
            @ForAll @Size(min = 1, max = 60) byte[] pixels, @ForAll @IntRange(min = 1, max = 177) int rows) {
        byte[] row = new byte[1 + pixels.length];
        System.arraycopy(pixels, 0, row, 1, pixels.length);
        PixelChecksum checksum = new PixelChecksum(row.length);
        Adler32 adler = new Adler32();
        for (int i = 0; i < rows; i++) {
            for (byte each : pixels) {
                checksum.add(1, each & 0xff, each & 0xff);
            }
            checksum.endFourRows();
            for (int copy = 0; copy < 4; copy++) {
                adler.update(row);
            }
        }
        assertThat(checksum.value()).isEqualTo((int) adler.getValue());
    }

    @Property(tries = 20)
    void lightBytesAreSummedInOne(@ForAll @IntRange(min = 0, max = 100) int bytes) {
        byte[] row = new byte[1 + bytes];
        Arrays.fill(row, 1, row.length, (byte) 0xff);
        PixelChecksum checksum = new PixelChecksum(row.length);
        checksum.addLight(bytes);
        checksum.endFourRows();
        Adler32 adler = new Adler32();
        for (int copy = 0; copy < 4; copy++) {
            adler.update(row);
        }
        assertThat(checksum.value()).isEqualTo((int) adler.getValue());
    }
}
