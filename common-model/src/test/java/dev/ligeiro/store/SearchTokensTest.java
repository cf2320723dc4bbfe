package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.text.Normalizer;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchTokensTest {

    @ParameterizedTest(name = "{0} has the words {1}")
    @CsvSource({
        "Zoë da Conceição, zoe da conceicao",
        "ZOË DA CONCEIÇÃO, zoe da conceicao",
        "Zoe\u0308 da Conceic\u0327a\u0303o, zoe da conceicao", // the same with combining accents
        "  João   d'Ávila-Ñandú  , joao d avila nandu",
        "Bar 24 Horas Ltda., bar 24 horas ltda",
        "ＡＢＣ ﬁm, abc fim", // full-width letters, a ligature
        "İstanbul, istanbul",
        "ÅNGSTRÖM \u212B, angstrom a",
        "山田 太郎, 山田 太郎",
        "😀, ''",
        "'', ''",
    })
    void wordsAreComparedWithoutAccentsOrCase(String name, String words) {
        assertThat(String.join(" ", SearchTokens.words(name))).isEqualTo(words);
    }

    /** With the fault, a list by GROSS did not find Groß. */
    @ParameterizedTest
    @CsvSource({
        "Groß, GROSS",
        "GROẞ, gross",
        "ŉgunu, ŉGUNU",
        "ǰan, J̌AN",
        "ﬁm, FIM",
        "Işık, IŞIK",
        "İstanbul, ISTANBUL",
        "Γιώργος, ΓΙΏΡΓΟΣ",
        "ΣΑΣ, σασ",
        "ΣΑΣ'Α ΣΑΣ, σας'α σας",
        "ᏣᎳᎩ, ꮳꮃꭹ",
        "Ꭓ, ꭓ",
        "ſtraße, STRASSE",
        "ᲑᲐᲜᲙᲘ, ბანკი",
        "В, ᲀ",
    })
    void aNameHasTheSameTokensInEveryCase(String name, String other) {
        assertThat(nameTokens(other)).isEqualTo(nameTokens(name));
    }

    /** But for the iota below some Greek letters: words have no marks, and in upper case this one is a letter. */
    @Test
    void everyLetterHasTheTokenOfItsUpperAndLowerCase() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .filter(Character::isLetter)
                        .mapToObj(Character::toString)
                        .filter(letter -> Normalizer.normalize(letter, Normalizer.Form.NFD)
                                        .indexOf('\u0345')
                                < 0)
                        .filter(letter -> !nameTokens(letter).equals(nameTokens(letter.toUpperCase(Locale.ROOT)))
                                || !nameTokens(letter).equals(nameTokens(letter.toLowerCase(Locale.ROOT)))))
                .isEmpty();
    }

    /** Tokens of names are stored for ever; these are of before case folding. */
    @Test
    void namesThatAreStoredWithoutCaseFoldingAreFound() {
        long groß = 0xc17f88cd21c66bd6L;
        assertThat(SearchTokens.nameWordForms("groß")).contains(groß).contains(SearchTokens.nameWord("gross"));
        assertThat(SearchTokens.nameWordForms("zoe")).containsExactly(SearchTokens.nameWord("zoe"));
    }

    private static Set<Long> nameTokens(String name) {
        return SearchTokens.words(name).stream().map(SearchTokens::nameWord).collect(Collectors.toSet());
    }

    @Provide
    Arbitrary<String> names() {
        return TransactionArbitraries.texts();
    }

    @Property
    void splittingWordsAgainGivesTheSameWords(@ForAll("names") String name) {
        List<String> words = SearchTokens.words(name);

        assertThat(SearchTokens.words(String.join(" ", words))).isEqualTo(words);
    }

    @Property
    void latinNamesHaveTheSameWordsInEitherCase(@ForAll @CharRange(from = 'À', to = 'Ö') String name) {
        assertThat(SearchTokens.words(name.toLowerCase(Locale.ROOT))).isEqualTo(SearchTokens.words(name));
    }

    @Provide
    Arbitrary<Terms> terms() {
        return TransactionArbitraries.pending().map(Transaction::terms);
    }

    @Property
    void everyListFilterHasItsToken(@ForAll("terms") Terms terms) {
        Set<Long> tokens = SearchTokens.of(terms);

        assertThat(tokens)
                .contains(SearchTokens.platform(terms.platform()))
                .contains(SearchTokens.document(terms.payer().document()))
                .contains(SearchTokens.phone(terms.payer().phone()))
                .containsAll(SearchTokens.words(terms.payer().name()).stream()
                        .map(SearchTokens::nameWord)
                        .toList());
        PixKey pixKey = terms.pixKey();
        if (pixKey != null) {
            assertThat(tokens).contains(SearchTokens.pixKey(pixKey.value()));
        }
    }

    @Property
    void tokensHaveNoDuplicates(@ForAll("terms") Terms terms) {
        int others = terms.pixKey() == null ? 3 : 4;

        assertThat(SearchTokens.of(terms))
                .hasSize(nameTokens(terms.payer().name()).size() + others);
    }

    @ParameterizedTest(name = "of {0}, with days from {1}: {2}")
    @CsvSource({
        "1970-01-01T00:00:00Z, 0,     0000456789abcdef",
        "2026-11-27T23:59:59Z, 0,     5130456789abcdef",
        "2026-11-28T00:00:00Z, 0,     5131456789abcdef",
        "2026-11-28T00:00:00Z, 20785, 5131456789abcdef",
        "2026-11-27T23:59:59Z, 20785, 0123456789abcdef",
        "2149-06-06T23:59:59Z, 0,     ffff456789abcdef",
    })
    void aTokenIsStoredWithItsDay(Instant createdAt, long daysFrom, String stored) {
        long token = 0x0123_4567_89ab_cdefL;

        assertThat(SearchTokens.stored(token, SearchTokens.day(TransactionId.at(createdAt), daysFrom)))
                .isEqualTo(Long.parseUnsignedLong(stored, 16));
    }

    /** A search for the document 52998224725 must not find a cashout to that Pix key. */
    @Property
    void oneValueInTwoFieldsHasTwoTokens(@ForAll("names") String value) {
        assertThat(LongStream.of(
                        SearchTokens.document(value),
                        SearchTokens.phone(value),
                        SearchTokens.pixKey(value),
                        SearchTokens.nameWord(value)))
                .doesNotHaveDuplicates();
    }
}
