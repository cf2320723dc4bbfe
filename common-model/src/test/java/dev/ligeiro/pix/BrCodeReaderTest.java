package dev.ligeiro.pix;

import static dev.ligeiro.pix.BrCodeTest.DYNAMIC;
import static dev.ligeiro.pix.BrCodeTest.MANUAL;
import static dev.ligeiro.pix.BrCodeTest.WITH_DESCRIPTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrCodeReaderTest {

    @ParameterizedTest
    @CsvSource({"1D3E", "1d3d", "1D3", "1D3D0", "''"})
    void refusesAWrongCrc(String crc) {
        String damaged = MANUAL.substring(0, MANUAL.length() - 4) + crc;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrCode.decode(damaged))
                .withMessageStartingWith("expected a BR Code ");
    }

    /** A common bug: the CRC is written without leading zeros. */
    @Test
    void refusesACrcWithoutItsLeadingZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrCode.decode(WITH_DESCRIPTION.replace("63040EA9", "6304EA9")))
                .withMessage("expected a BR Code that ends with 6304 and the 4 digits of its CRC");
    }

    @ParameterizedTest
    @CsvSource({
        "000201, 000202,                            'expected a BR Code, which starts with 000201'",
        "26580014br, 27580014br,                    expected object 26",
        "br.gov.bcb.pix, br.gov.bcb.pax,            expected object 26 of Pix: br.gov.bcb.pix",
        "0136123e4567, 0336123e4567,                expected either a Pix key or a URL in object 26",
        "52040000, '',                              expected object 52",
        "52040000, 5204000A,                        expected a merchant category code of 4 digits",
        "5303986, 5303840,                          expected object 53 to be 986",
        "5303986, 53039865303986,                   expected each object once",
        "5303986, 5303986010213,                    expected object 01 to be 11 or 12",
        "5303986, 530398654040.00,                  expected an amount from 0.01 to 9999999999.99",
        "5303986, 5303986541410000000000.00,        'expected an amount with two decimals, of at most 13 characters'",
        "5303986, 530398654011,                     'expected an amount with two decimals, of at most 13 characters'",
        "5303986, 530398654031.5,                   'expected an amount with two decimals, of at most 13 characters'",
        "5303986, '53039865404-.50',                'expected an amount with two decimals, of at most 13 characters'",
        "5303986, '530398654041,50',                'expected an amount with two decimals, of at most 13 characters'",
        "5802BR, 5802US,                            expected object 58 to be BR",
        "5913Fulano de Tal, 5926Fulano de Tal Fulano de Ta, expected a receiver name of 1 to 25 printable ASCII characters",
        "5913Fulano de Tal, 5900,                   expected objects with a value",
        "6008BRASILIA, 6016BRASILIABRASILIA,        expected a receiver city of 1 to 15 printable ASCII characters",
        "6008BRASILIA, 6008BRASÍLIA,                expected a BR Code of at most 512 printable ASCII characters",
        "6008BRASILIA, 6008BRASILI,                 expected objects no longer than the code that holds them",
        "62070503***, '',                           expected object 62",
        "62070503***, 62070603***,                  expected object 05",
        "62070503***, 62070503*-*,                  'expected a txid of 1 to 25 letters and digits, or ***'",
        "62070503***, 62070504***,                  expected objects no longer than the code that holds them",
        "62070503***, 62070503***62,                'expected objects of a two-digit id, a two-digit length and a value'",
    })
    void refusesInvalidObjectsBehindAValidCrc(String object, String replacement, String message) {
        String code = changed(MANUAL, object, replacement);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrCode.decode(code))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "5802BR,       5802BR61081234-567",
        "62070503***,  62220503***0711TERMINAL-01",
        "62070503***,  62070503***80240014br.com.example0102xy",
    })
    void ignoresUnknownObjects(String object, String replacement) {
        assertThat(BrCode.decode(changed(MANUAL, object, replacement))).isEqualTo(BrCode.decode(MANUAL));
    }

    @Test
    void readsObjectsInAnyOrderBetweenTheFirstAndTheLast() {
        String shuffled = changed(MANUAL, "5802BR5913Fulano de Tal6008BRASILIA", "6008BRASILIA5913Fulano de Tal5802BR");

        assertThat(BrCode.decode(shuffled).encode()).isEqualTo(MANUAL);
    }

    @Test
    void ignoresTheTxidOfADynamicCode() {
        String code = changed(DYNAMIC, "62070503***", "62190515RP12345678-2019");

        assertThat(BrCode.decode(code).encode()).isEqualTo(DYNAMIC);
    }

    @Test
    void readsACodeMarkedAsReusable() {
        String code = changed(MANUAL, "00020126", "00020101021126");

        assertThat(BrCode.decode(code).encode()).isEqualTo(MANUAL);
    }

    @Test
    void refusesMoreThan512Characters() {
        String filler = "8099" + "x".repeat(99) + "8199" + "x".repeat(99) + "8299" + "x".repeat(99);
        String fits = withFiller(filler + "8362" + "x".repeat(62));
        String tooLong = withFiller(filler + "8363" + "x".repeat(63));

        assertThat(fits).hasSize(512);
        assertThat(BrCode.decode(fits)).isEqualTo(BrCode.decode(MANUAL));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrCode.decode(tooLong))
                .withMessage("expected a BR Code of at most 512 printable ASCII characters");
    }

    private static String withFiller(String objects) {
        return changed(MANUAL, "62070503***", "62070503***" + objects);
    }

    /** The code with {@code objects} replaced, and with the checksum of the result. */
    private static String changed(String code, String objects, String replacement) {
        String body = code.substring(0, code.length() - 4).replace(objects, replacement);
        return body + Crc16.hex(body);
    }
}
