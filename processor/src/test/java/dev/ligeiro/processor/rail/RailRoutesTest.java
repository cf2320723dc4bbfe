package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RailRoutesTest {

    private final FixedRail simulator = FixedRail.answering("simulator", new RailOutcome.Pending());
    private final FixedRail bank = FixedRail.answering("bank", new RailOutcome.Pending());
    private final FixedRail other = FixedRail.answering("other", new RailOutcome.Pending());

    private final Transaction cashin = LiveTransactions.of(Transactions.goldenCashin());
    private final Transaction cashout = LiveTransactions.of(Transactions.goldenCashout());

    @Test
    void aLiveTransactionGoesToTheRailOfItsRoute() {
        RailRoutes routes = routes(route("other", Operation.CASHOUT), route("bank", null));

        assertThat(routes.find(cashout)).contains(other);
        assertThat(routes.find(cashin)).contains(bank);
    }

    @Test
    void aLiveTransactionGoesToTheRailWhoseNameIsStoredWithItHoweverTheRoutesHaveChanged() {
        Transaction atBank = Transactions.like(cashout).rail("bank").build();

        assertThat(routes(route("other", null)).find(atBank)).contains(bank);
        assertThat(routes().find(atBank)).contains(bank);
    }

    @Test
    void noOtherRailStandsInForTheStoredOne() {
        RailRoutes routes = routes(route("other", null));

        assertThat(routes.find(Transactions.like(cashout).rail("closed-bank").build()))
                .isEmpty();
        assertThat(routes.name(cashout.tenant(), cashout.operation(), "closed-bank"))
                .contains("closed-bank");
    }

    @Test
    void theSimulatorGetsAllTestTransactionsAndNoLiveOneWhateverIsStored() {
        Transaction test =
                Transactions.like(Transactions.goldenCashout()).rail("bank").build();
        Transaction live = Transactions.like(cashout).rail("simulator").build();

        assertThat(routes().find(test)).contains(simulator);
        assertThat(routes().find(live)).isEmpty();
    }

    @Test
    void aRouteToARailThatTheProcessorDoesNotHaveIsRefusedAtStart() {
        assertThatThrownBy(() -> routes(route("bank", null), route("bnak", null)))
                .hasMessage("ligeiro.rails.routes: bnak (expected: bank, other)");
        RailProperties toBank = new RailProperties(List.of(route("bank", null)));
        assertThatThrownBy(() -> new RailRoutes(List.of(simulator), toBank))
                .hasMessage(
                        "ligeiro.rails.routes: bank (expected: no routes, because this processor has only the simulator)");
    }

    private RailRoutes routes(RailProperties.Route... routes) {
        return new RailRoutes(List.of(simulator, bank, other), new RailProperties(List.of(routes)));
    }

    private static RailProperties.Route route(String rail, @Nullable Operation operation) {
        return new RailProperties.Route(rail, operation, null);
    }
}
