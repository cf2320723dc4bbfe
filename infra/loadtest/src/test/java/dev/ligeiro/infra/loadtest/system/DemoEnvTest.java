package dev.ligeiro.infra.loadtest.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoEnvTest {

    @Test
    void readsWhatInfraRunWrites() {
        DemoEnv env = DemoEnv.parse(List.of(
                "BASE_URL=http://localhost:8080",
                "MONGODB_URI=\"mongodb://localhost/ligeiro?a=1&b=\\$2\"",
                "GATEWAY_PID=\"11 12\"",
                "KAFKA_PID="));

        assertThat(env.get("BASE_URL")).isEqualTo("http://localhost:8080");
        assertThat(env.get("MONGODB_URI")).isEqualTo("mongodb://localhost/ligeiro?a=1&b=$2");
        assertThat(env.pids("GATEWAY_PID")).containsExactly(11L, 12L);
        assertThat(env.pids("KAFKA_PID")).isEmpty();
        assertThat(env.pids("PROCESSOR_PID")).isEmpty();
    }

    @Test
    void namesWhatIsMissing() {
        assertThatThrownBy(() -> DemoEnv.parse(List.of()).get("API_KEY"))
                .isInstanceOf(CannotRunException.class)
                .hasMessageContaining("API_KEY");
    }
}
