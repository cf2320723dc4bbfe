package dev.ligeiro.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The defaults and the bounds of the settings that the services share. */
class SharedSettingsTest {

    @Test
    void defaults() {
        assertThat(Settings.defaults(IntakeProperties.class))
                .isEqualTo(
                        new IntakeProperties(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(15)));
        assertThat(Settings.defaults(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @CsvSource({
        // setting, lowest, highest, just below, just above, the field that a refusal names
        "intake.batch-timeout,      1s,    240s, 999ms, 241s, batchTimeout",
        "intake.retry-delay-max,    100ms, 60s,  99ms,  61s,  retryDelayMax",
        "intake.heartbeat-age-max,  1s,    300s, 999ms, 301s, heartbeatAgeMax",
        "mongodb.connect-timeout,   100ms, 30s,  99ms,  31s,  connectTimeout",
        "mongodb.operation-timeout, 100ms, 60s,  99ms,  61s,  operationTimeout",
    })
    void theBoundsAreIncluded(String setting, String lowest, String highest, String below, String above, String field) {
        String key = "ligeiro." + setting + "=";
        Class<?> record = setting.startsWith("intake.") ? IntakeProperties.class : MongoClientProperties.class;

        assertThat((Object) Settings.of(record, key + lowest)).isNotEqualTo(Settings.of(record, key + highest));
        assertThat(Settings.refusal(record, key + below)).contains("on field '" + field + "'");
        assertThat(Settings.refusal(record, key + above)).contains("on field '" + field + "'");
    }

    private static final String ROUTE = "ligeiro.rails.routes[0].";

    @Test
    void withoutRoutesLiveModeIsClosed() {
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
