package dev.ligeiro.infra.loadtest.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatewayChoiceTest {

    private static final InetSocketAddress FIRST = InetSocketAddress.createUnresolved("gateway", 1);
    private static final InetSocketAddress SECOND = InetSocketAddress.createUnresolved("gateway", 2);

    private final GatewayChoice choice = new GatewayChoice(FIRST);

    @Test
    void aNewGatewayGetsConnectionsUntilItHasItsShare() {
        choice.next();
        choice.next();
        choice.next();
        choice.use(List.of(FIRST, SECOND));

        assertThat(choice.isAboveShare(FIRST)).isTrue();
        assertThat(choice.instead(FIRST)).isEqualTo(SECOND);
        assertThat(choice.isAboveShare(FIRST)).isFalse();
        assertThat(choice.next()).isEqualTo(SECOND);
    }

    @Test
    void aGatewayThatLeavesKeepsItsConnectionsAndGetsNoNewOnes() {
        choice.use(List.of(FIRST, SECOND));
        choice.next();
        choice.next();
        choice.use(List.of(FIRST));

        assertThat(choice.isUsed(SECOND)).isFalse();
        assertThat(choice.instead(SECOND)).isEqualTo(FIRST);
        assertThat(choice.next()).isEqualTo(FIRST);
        assertThat(choice.isAboveShare(FIRST)).isFalse();
    }
}
