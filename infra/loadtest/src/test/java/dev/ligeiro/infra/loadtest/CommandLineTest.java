package dev.ligeiro.infra.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

    private static final Path OUT = Path.of("out");

    @Test
    void measuresWhatCountsUnlessToldOtherwise() {
        Options options = CommandLine.parse(OUT);

        assertThat(options.scenarios()).containsExactly(Scenario.CREATE, Scenario.PAY);
        assertThat(options.warmSeconds()).isEqualTo(35);
        assertThat(options.settleSeconds()).isEqualTo(20);
        assertThat(options.isCold()).isFalse();
        assertThat(options.percents()).contains(50.0, 80.0);
        assertThat(options.connections()).isEqualTo(64);
        assertThat(options.startups()).isZero();
        assertThat(options.out()).isEqualTo(OUT);
    }

    @Test
    void readsEveryOption() {
        Options options = CommandLine.parse(
                OUT,
                "--scenario=create,startup",
                "--warm",
                "5",
                "--rate",
                "1000,3626",
                "--stored",
                "1000000",
                "--",
                "--processor",
                "2");

        assertThat(options.scenarios()).containsExactly(Scenario.CREATE);
        assertThat(options.startups()).isEqualTo(5);
        assertThat(options.isCold()).isTrue();
        assertThat(options.rates()).containsExactly(1_000.0, 3_626.0);
        assertThat(options.stored()).isEqualTo(1_000_000);
        assertThat(options.runOptions()).containsExactly("--processor", "2");
    }

    @ParameterizedTest
    @CsvSource({
        "--sceanrio=create, unknown option",
        "--scenario=sing, sing (expected: one of",
        "--warm=soon, --warm: soon (expected: a number)",
        "--warm=601, --warm: 601 (expected: 0 to 600)",
        "--connections=0, --connections: 0 (expected: 1 to 10000)",
        "--attach, --attach: no --home given",
        "create, create: unknown",
        "--warm, its value is missing"
    })
    void namesTheOptionItCannotRead(String argument, String message) {
        assertThatThrownBy(() -> CommandLine.parse(OUT, argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
