package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Every parser refuses hostile text with an {@link IllegalArgumentException} whose message does not repeat the text. */
class ParsingTest {

    private static final List<String> CHARACTERISTIC =
            List.of("", "+", "+55", "E", "@", ".", "-", "٣", "３", "\ud83d", "\u0000");

    @Property(tries = 500)
    void refusesHostileTextOnlyAsIllegalArgumentThatDoesNotRepeatIt(
            @ForAll("texts") String text, @ForAll("parsers") Function<String, Object> parser) {
        Throwable thrown = catchThrowable(() -> parser.apply(text));

        if (thrown != null) {
            assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasNoCause();
            assertThat(thrown.getMessage()).startsWith("expected ");
            if (text.length() > 20) {
                assertThat(thrown.getMessage()).doesNotContain(text);
            }
        }
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> any = Arbitraries.strings().all().ofMaxLength(120);
        Arbitrary<String> digits =
                Arbitraries.strings().numeric().withChars(".-/+@ ").ofMaxLength(40);
        Arbitrary<String> pieced = Combinators.combine(
                        Arbitraries.of(CHARACTERISTIC), Arbitraries.oneOf(any, digits), Arbitraries.of(CHARACTERISTIC))
                .as((before, text, after) -> before + text + after);
        Arbitrary<String> huge = Combinators.combine(Arbitraries.of(CHARACTERISTIC), any)
                .as((piece, text) -> (piece + text).repeat(2_000));
        return Arbitraries.frequencyOf(Tuple.of(4, pieced), Tuple.of(4, digits), Tuple.of(1, huge));
    }

    @Provide
    Arbitrary<Function<String, Object>> parsers() {
        return Arbitraries.of(
                TaxId::parse,
                Phone::parse,
                Email::parse,
                EndToEndId::new,
                PixKey.Type::parse,
                text -> PixKey.parse(PixKey.Type.CPF, text),
                text -> PixKey.parse(PixKey.Type.CNPJ, text),
                text -> PixKey.parse(PixKey.Type.PHONE, text),
                text -> PixKey.parse(PixKey.Type.EMAIL, text),
                text -> PixKey.parse(PixKey.Type.EVP, text));
    }
}
