package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScopeTest {

    @Test
    void writingTransactionsIncludesCashins() {
        assertThat(Scope.permitted(List.of("transactions:write")))
                .containsExactly(Scope.TRANSACTIONS_WRITE, Scope.CASHINS_WRITE);
    }

    @Test
    void writingCashinsIncludesNothingElse() {
        assertThat(Scope.permitted(List.of("cashins:write"))).containsExactly(Scope.CASHINS_WRITE);
    }

    @Test
    void aCodeOfALaterVersionPermitsNothing() {
        assertThat(Scope.permitted(List.of("refunds:write"))).isEmpty();
    }
}
