package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayerTest {

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource({
        // as the bank writes it, the transaction's document, whether it is the payer's; empty: unknown
        "529.982.247-25,      52998224725,    true",
        "52998224725,         52998224725,    true",
        "11144477735,         52998224725,    false",
        "***.982.247-**,      52998224725,    ",
        "***.982.248-**,      52998224725,    false",
        "***982247**,         52998224725,    ",
        "5*********5,         52998224725,    ",
        "5*********4,         52998224725,    false",
        "***********,         52998224725,    ",
        "11.222.333/0001-81,  11222333000181, true",
        "11222333000181,      52998224725,    false",
        "52998224725,         11222333000181, false",
        "**.222.333/0001-**,  11222333000181, ",
        "**.222.334/0001-**,  11222333000181, false",
        "12.ABC.345/01DE-35,  12ABC34501DE35, true",
        "12.abc.345/01de-35,  12ABC34501DE35, true",
        "**.ABC.345/01DE-**,  12ABC34501DE35, ",
        "**.ABX.345/01DE-**,  12ABC34501DE35, false",
        // of another kind than the document, with hidden characters: the bank may hide with more of them than there are
        "**.222.333/0001-**,  52998224725,    ",
        // malformed: not told
        "52998224724,         52998224725,    ",
        "5299822472,          52998224725,    ",
        "abc,                 52998224725,    ",
        "***.982,             52998224725,    ",
        ",                    52998224725,    ",
    })
    void aTaxIdIsComparedAsFarAsItIsTold(@Nullable String told, String document, @Nullable Boolean has) {
        Payer payer = new Payer(null, null, "99999004");
        Payer read = Payer.of(null, told, "99999004");

        assertThat((read == null ? payer : read).has(document)).isEqualTo(has);
    }

    @Test
    void whatIsMalformedIsNotTold() {
        assertThat(Payer.of(" ", "x", "1")).isNull();
        assertThat(Payer.of("a\u0000", "529.982.247-25", "999990044")).isEqualTo(new Payer(null, "52998224725", null));
        assertThat(Payer.of("x".repeat(101), null, "99999004")).isEqualTo(new Payer(null, null, "99999004"));
        assertThat(Payer.of("\ud83d", null, null)).isNull();
        assertThat(Payer.of(" João ", null, null)).isEqualTo(new Payer("João", null, null));
    }

    @Test
    void aTaxIdIsShownAsOnReceipts() {
        assertThat(new Payer(null, "52998224725", null).maskedTaxId()).isEqualTo("***.982.247-**");
        assertThat(new Payer(null, "***982*****", null).maskedTaxId()).isEqualTo("***.982.***-**");
        assertThat(new Payer(null, "12ABC34501DE35", null).maskedTaxId()).isEqualTo("**.ABC.345/****-**");
        assertThat(new Payer("João", null, null)).hasToString("Payer[…]");
    }
}
