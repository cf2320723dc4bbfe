package dev.ligeiro.gateway.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;

class DrainConnectionsTest {

    /** The phases of all others that end requests, such as exports and the server, are lower. */
    @Test
    void aStopBeginsWithTheDrain() {
        assertThat(new DrainConnections(Settings.defaults(ConnectionProperties.class)).getPhase())
                .isEqualTo(SmartLifecycle.DEFAULT_PHASE);
    }
}
