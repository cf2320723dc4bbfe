package dev.ligeiro.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RailPropertiesTest {

    private static final String ROUTE = "ligeiro.rails.routes[0].";

    @Test
    void defaults() {
        assertThat(Settings.defaults(RailProperties.class)).isEqualTo(new RailProperties(List.of()));
    }

    /** The first two routes are the example in the processor's application.yml. Tenants with even numbers are in test mode. */
    @ParameterizedTest
    @CsvSource({
        "15, CASHOUT, other",
        "17, CASHOUT, bank",
        "15, CASHIN, ",
        "14, CASHOUT, simulator",
        "14, CASHIN, simulator",
    })
    void theFirstRouteThatMatchesNamesTheRail(long tenant, Operation operation, String rail) {
        RailProperties properties = Settings.of(
                RailProperties.class,
                "ligeiro.rails.routes[0].rail=other",
                "ligeiro.rails.routes[0].operation=cashout",
                "ligeiro.rails.routes[0].tenant=15",
                "ligeiro.rails.routes[1].rail=bank",
                "ligeiro.rails.routes[1].operation=cashout");

        assertThat(properties.rail(new Tenant(tenant), operation).orElse(null)).isEqualTo(rail);
    }

    @Test
    void aRouteToTheSimulatorIsRefused() {
        assertThat(Settings.refusal(RailProperties.class, ROUTE + "rail=simulator", ROUTE + "operation=cashin"))
                .contains("ligeiro.rails.routes: simulator (expected: a rail that moves money; routes are for live"
                        + " transactions)");
    }

    @ParameterizedTest
    @CsvSource({
        "rail=, 'rail'",
        "operation=refund, 'ligeiro.rails.routes[0].operation'",
        "tenant=x, 'ligeiro.rails.routes[0].tenant'"
    })
    void anInvalidKeyIsNamed(String setting, String named) {
        assertThat(Settings.refusal(RailProperties.class, ROUTE + setting)).contains(named);
    }
}
