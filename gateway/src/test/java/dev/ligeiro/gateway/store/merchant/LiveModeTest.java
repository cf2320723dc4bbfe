package dev.ligeiro.gateway.store.merchant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;

class LiveModeTest {

    private static final Tenant TENANT = Tenant.of(7, Mode.LIVE);
    private static final Tenant OTHER = Tenant.of(8, Mode.LIVE);

    @Test
    void withoutARouteLiveModeIsClosed() {
        LiveMode none = liveMode();

        assertThat(none.serves(TENANT, Operation.CASHOUT)).isFalse();
    }

    @Test
    void aRouteOpensLiveModeForItsTenantAndOperation() {
        LiveMode one = liveMode(new RailProperties.Route("bank", Operation.CASHOUT, TENANT.key()));

        assertThat(one.serves(TENANT, Operation.CASHOUT)).isTrue();
        assertThat(one.serves(TENANT, Operation.CASHIN)).isFalse();
        assertThat(one.serves(OTHER, Operation.CASHOUT)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = "CASHIN")
    @NullSource
    void aRouteOfLiveCashinsIsRefusedAtStart(@Nullable Operation operation) {
        assertThatThrownBy(() -> liveMode(new RailProperties.Route("bank", operation, null)))
                .hasMessage(
                        "ligeiro.rails.routes: bank without operation: cashout (expected: cashouts only, because the"
                                + " gateway has no BR Codes of live rails)");
    }

    private static LiveMode liveMode(RailProperties.Route... routes) {
        return new LiveMode(new RailProperties(List.of(routes)));
    }
}
