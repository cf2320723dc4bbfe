package dev.ligeiro.infra.loadtest.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallIdentifiersTest {

    private final CallIdentifiers identifiers = new CallIdentifiers("00c0ffee");

    @Test
    void readsTheNumberOfAReferenceBack() {
        assertThat(identifiers.number(identifiers.reference(4_211))).isEqualTo(4_211);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lt00c0ffef-0000004211", "order-77", "lt00c0ffee-00000042110", "lt00c0ffee-000000421x", ""})
    void findsNoNumberInOtherReferences(String reference) {
        assertThat(identifiers.number(reference)).isNegative();
    }

    @Test
    void theExtraDiffersByCallAndByRun() {
        assertThat(identifiers.extra(7))
                .isEqualTo(identifiers.extra(7))
                .isNotEqualTo(identifiers.extra(8))
                .isNotEqualTo(new CallIdentifiers("00c0ffef").extra(7));
    }

    @Test
    void staysWithinTheLimitsOfTheApi() {
        assertThat(identifiers.reference(9_999_999_999L)).hasSizeLessThanOrEqualTo(50);
        assertThat(identifiers.extra(9_999_999_999L)).hasSizeLessThanOrEqualTo(255);
    }
}
