package dev.ligeiro.infra.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BytesTest {

    @Test
    void writesAndReadsUuids() {
        UUID uuid = UUID.fromString("019cd827-d553-7abc-9def-0123456789ab");
        byte[] bytes = new byte[36];

        Bytes.writeUuid(bytes, 0, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());

        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo(uuid.toString());
        assertThat(Bytes.parseHex(bytes, 0)).isEqualTo(uuid.getMostSignificantBits());
        assertThat(Bytes.parseHex(bytes, 19)).isEqualTo(uuid.getLeastSignificantBits());
    }

    @Test
    void writesAndReadsNumbers() {
        byte[] bytes = new byte[8];

        Bytes.writeDigits(bytes, 1, 6, 4_211);

        assertThat(new String(bytes, 1, 6, StandardCharsets.US_ASCII)).isEqualTo("004211");
        assertThat(Bytes.parseDigits(bytes, 1, 7)).isEqualTo(4_211);
    }

    @Test
    void refusesWhatIsNoNumber() {
        assertThatThrownBy(() -> Bytes.parseDigits(Bytes.ascii("12x"), 0, 3))
                .isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> Bytes.parseHex(Bytes.ascii("0123456789abcdeg"), 0))
                .isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void findsTextWithinItsBoundsOnly() {
        byte[] bytes = Bytes.ascii("abcabd");

        assertThat(Bytes.indexOf(bytes, 0, 6, Bytes.ascii("abd"))).isEqualTo(3);
        assertThat(Bytes.indexOf(bytes, 0, 5, Bytes.ascii("abd"))).isEqualTo(-1);
        assertThat(Bytes.indexOf(bytes, 1, 6, Bytes.ascii("abc"))).isEqualTo(-1);
    }
}
