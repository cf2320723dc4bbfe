package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterTest {

    private static final Term PENDING = new Filter.OfStatus(Status.PENDING);
    private static final Term WORD = Term.token(SearchTokens.nameWord("zoe"));
    private static final Term DOCUMENT = Term.token(SearchTokens.document("52998224725"));

    private static Filter filter(Term... terms) {
        return new Filter(Transactions.TENANT, List.of(terms));
    }

    @Test
    void theOrderOfTermsAndRepeatedOnesMakeNoDifference() {
        assertThat(filter(PENDING, WORD, DOCUMENT)).isEqualTo(filter(WORD, DOCUMENT, PENDING, WORD));
        assertThat(Term.anyToken(List.of(2L, 1L, 2L))).isEqualTo(Term.anyToken(List.of(1L, 2L)));
    }

    @Test
    void differentFiltersHaveDifferentKeys() {
        assertThat(List.of(
                                filter(),
                                filter(PENDING),
                                filter(WORD),
                                filter(PENDING, WORD),
                                filter(Term.anyToken(List.of(1L, 2L))),
                                filter(Term.token(1), Term.token(2)),
                                filter(Term.token(18)))
                        .stream()
                        .map(Filter::key))
                .doesNotHaveDuplicates();
    }

    @Test
    void keysHaveNoPersonalData() {
        assertThat(filter(DOCUMENT, WORD).key())
                .doesNotContain("52998224725")
                .doesNotContain("zoe")
                .matches("[0-9a-f]{1,16} [0-9a-f]{1,16}");
    }
}
