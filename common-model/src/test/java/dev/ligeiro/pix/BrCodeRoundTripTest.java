package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;

/** Properties of all BR Codes. */
class BrCodeRoundTripTest {

    @Property(tries = 500)
    void aCodeRoundTripsThroughItsText(@ForAll("codes") BrCode code) {
        String text = code.encode();

        assertThat(BrCode.decode(text)).isEqualTo(code);
        assertThat(text).hasSizeLessThanOrEqualTo(512).matches("[ -~]+6304[0-9A-F]{4}");
    }

    @Property(tries = 500)
    void refusesACodeWithAnyOneCharacterDamaged(
            @ForAll("codes") BrCode code,
            @ForAll @IntRange(min = 0, max = 511) int place,
            @ForAll @CharRange(from = ' ', to = '~') char character) {
        StringBuilder text = new StringBuilder(code.encode());
        int at = place % text.length();
        char damage = text.charAt(at) == character ? 'é' : character;
        text.setCharAt(at, damage);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrCode.decode(text.toString()))
                .withMessageStartingWith("expected a BR Code");
    }

    /** With a valid checksum only the grammar can detect the damage. */
    @Property(tries = 500)
    void damageWithAValidChecksumIsRefusedOrReadAsAValidCode(
            @ForAll("codes") BrCode code,
            @ForAll @IntRange(min = 0, max = 511) int place,
            @ForAll @CharRange(from = '0', to = '9') char character) {
        String text = code.encode();
        StringBuilder body = new StringBuilder(text.substring(0, text.length() - 4));
        body.setCharAt(place % body.length(), character);

        try {
            BrCode read = BrCode.decode(body + Crc16.hex(body));
            assertThat(BrCode.decode(read.encode())).isEqualTo(read);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageStartingWith("expected ");
        }
    }

    @Provide
    Arbitrary<BrCode> codes() {
        Arbitrary<MerchantAccount> accounts = Arbitraries.oneOf(
                printable(50).flatMap(key -> Arbitraries.oneOf(Arbitraries.just(""), printable(73 - key.length()))
                        .map(description -> new StaticKey(key, description))),
                printable(77).map(key -> new StaticKey(key, "")),
                Arbitraries.strings()
                        .alpha()
                        .numeric()
                        .withChars("./-_")
                        .ofMinLength(1)
                        .ofMaxLength(77)
                        .map(DynamicLocation::new));
        Arbitrary<OptionalLong> amounts = Arbitraries.oneOf(
                Arbitraries.just(OptionalLong.empty()),
                Arbitraries.longs().between(1, 999_999_999_999L).map(OptionalLong::of));
        Arbitrary<String> txids = Arbitraries.oneOf(
                Arbitraries.just(BrCode.NO_TXID),
                Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(25));
        Arbitrary<String> categories = Arbitraries.strings().numeric().ofLength(4);
        return Combinators.combine(
                        Arbitraries.of(true, false), accounts, categories, amounts, printable(25), printable(15), txids)
                .as((once, account, category, amount, name, city, txid) -> new BrCode(
                        once,
                        account,
                        category,
                        amount,
                        name,
                        city,
                        account instanceof DynamicLocation ? BrCode.NO_TXID : txid));
    }

    private static Arbitrary<String> printable(int lengthMax) {
        return Arbitraries.strings()
                .withCharRange(' ', '~')
                .ofMinLength(1)
                .ofMaxLength(lengthMax)
                .filter(text -> !text.isBlank());
    }
}
