package dev.ligeiro.gateway.qrcode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.common.reedsolomon.GenericGF;
import com.google.zxing.common.reedsolomon.ReedSolomonEncoder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ReedSolomonTest {

    @Property(tries = 300)
    void codewordsAreThoseOfZxing(
            @ForAll @Size(min = 1, max = 123) byte[] block, @ForAll @IntRange(min = 7, max = 30) int count) {
        byte[] codewords = new byte[block.length + count];
        System.arraycopy(block, 0, codewords, 0, block.length);
        new ReedSolomon(count).append(codewords, 0, block.length, block.length);

        int[] expected = new int[codewords.length];
        for (int i = 0; i < block.length; i++) {
            expected[i] = block[i] & 0xff;
        }
        new ReedSolomonEncoder(GenericGF.QR_CODE_FIELD_256).encode(expected, count);
        for (int i = 0; i < expected.length; i++) {
            assertThat(codewords[i] & 0xff).isEqualTo(expected[i]);
        }
    }
}
