package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RailRoutesTest {

    private final FixedRail simulator = FixedRail.answering("simulator", new RailOutcome.Pending());
    private final FixedRail bank = FixedRail.answering("bank", new RailOutcome.Pending());
    private final FixedRail other = FixedRail.answering("other", new RailOutcome.Pending());

    private final Transaction cashin = LiveMode.of(Transactions.goldenCashin());
    private final Transaction cashout = LiveMode.of(Transactions.goldenCashout());

    @Test
    void aTestTransactionGoesToTheSimulatorWhateverTheRoutes() {
        assertThat(routes(route("bank", null, null)).find(Transactions.goldenCashin()))
                .contains(simulator);
    }

    @Test
    void aLiveTransactionWithoutARouteHasNoRail() {
        assertThat(routes().find(cashin)).isEmpty();
        assertThat(routes(route("bank", Operation.CASHIN, null)).find(cashout)).isEmpty();
        assertThat(routes(route("bank", null, cashin.tenant().key() + 2)).find(cashin))
                .isEmpty();
    }

    @Test
    void theFirstRouteThatMatchesNamesTheRail() {
        RailRoutes routes =
                routes(route("other", Operation.CASHOUT, cashout.tenant().key()), route("bank", null, null));

        assertThat(routes.find(cashout)).contains(other);
        assertThat(routes.find(cashin)).contains(bank);
    }

    @Test
    void aRouteToAnUnknownRailOrToTheSimulatorIsRefusedAtStart() {
        assertThatThrownBy(() -> routes(route("bnak", null, null)))
                .hasMessage("ligeiro.rails.routes: bnak (expected one of: [bank, other])");
        assertThatThrownBy(() -> routes(route("simulator", null, null)))
                .hasMessage("ligeiro.rails.routes: simulator (expected one of: [bank, other])");
    }

    private RailRoutes routes(RailProperties.Route... routes) {
        return new RailRoutes(List.of(simulator, bank, other), new RailProperties(List.of(routes)));
    }

    private static RailProperties.Route route(String rail, @Nullable Operation operation, @Nullable Long tenant) {
        return new RailProperties.Route(rail, operation, tenant);
    }
}
