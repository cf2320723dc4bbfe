package dev.ligeiro.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScopeTest {

    @Test
    void aCodeOfALaterVersionPermitsNothing() {
        assertThat(Scope.permitted(List.of("refunds:write"))).isEmpty();
    }
}
