package dev.ligeiro.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MongoClientPropertiesTest {

    private static final String PREFIX = "ligeiro.mongodb.";

    @Test
    void defaults() {
        assertThat(Settings.defaults(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    }

    @Test
    void others() {
        assertThat(Settings.of(
                        MongoClientProperties.class,
                        PREFIX + "connect-timeout=100ms",
                        PREFIX + "operation-timeout=60s"))
                .isEqualTo(new MongoClientProperties(Duration.ofMillis(100), Duration.ofSeconds(60)));
    }

    @ParameterizedTest
    @CsvSource({
        "connect-timeout=99ms, connectTimeout",
        "connect-timeout=31s, connectTimeout",
        "operation-timeout=99ms, operationTimeout",
        "operation-timeout=61s, operationTimeout"
    })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String field) {
        assertThat(Settings.refusal(MongoClientProperties.class, PREFIX + setting))
                .contains("'ligeiro.mongodb' on field '" + field + "'");
    }
}
