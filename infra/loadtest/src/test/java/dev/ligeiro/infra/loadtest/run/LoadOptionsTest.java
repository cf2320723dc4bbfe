package dev.ligeiro.infra.loadtest.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.LoadTest;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadOptionsTest {

    @ParameterizedTest
    @ValueSource(strings = {"--sceanrio=create", "--warm=601", "--attach", "create"})
    void anInvalidOptionHasExitCode2(String argument) {
        assertThat(LoadTest.run(Path.of("."), argument)).isEqualTo(2);
    }
}
