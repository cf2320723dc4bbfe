package dev.ligeiro.infra.loadtest.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NamingTest {

    private final Naming naming = new Naming("00c0ffee");

    @Test
    void readsTheNumberOfAReferenceBack() {
        assertThat(number(naming, naming.reference(4_211))).isEqualTo(4_211);
    }

    @Test
    void knowsTheReferencesOfOthers() {
        assertThat(number(naming, new Naming("00c0ffef").reference(4_211))).isNegative();
        assertThat(number(naming, "order-77")).isNegative();
        assertThat(number(naming, naming.reference(4_211) + "0")).isNegative();
    }

    @Test
    void tellsTheExtraOfEachCallFromAllOthers() {
        assertThat(isExtra(7, naming.extra(7))).isTrue();
        assertThat(isExtra(8, naming.extra(7))).isFalse();
        assertThat(isExtra(7, new Naming("00c0ffef").extra(7))).isFalse();
        assertThat(isExtra(7, naming.extra(7).substring(1))).isFalse();
        assertThat(isExtra(7, naming.extra(7) + "x")).isFalse();
    }

    @Test
    void staysWithinTheLimitsOfTheSpecification() {
        assertThat(naming.reference(9_999_999_999L)).hasSizeLessThanOrEqualTo(50);
        assertThat(naming.extra(9_999_999_999L)).hasSizeLessThanOrEqualTo(255);
    }

    private static int number(Naming naming, String reference) {
        byte[] bytes = (">" + reference).getBytes(StandardCharsets.UTF_8);
        return naming.number(bytes, 1, bytes.length);
    }

    private boolean isExtra(int number, String extra) {
        byte[] bytes = (extra + "\",").getBytes(StandardCharsets.UTF_8);
        return naming.isExtra(number, bytes, 0, bytes.length);
    }
}
