package dev.ligeiro.infra.loadtest.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.loadtest.LoadTest;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LoadOptionsTest {

    @Test
    void theDefaultsGiveARunThatCounts() {
        LoadOptions options = parse();

        assertThat(options.scenarios).containsExactly(Scenario.CREATE, Scenario.PAY);
        assertThat(options.firstSeconds).isEqualTo(3);
        assertThat(options.warmSeconds).isEqualTo(35);
        assertThat(options.settleSeconds).isEqualTo(20);
        assertThat(options.isCold()).isFalse();
        assertThat(options.percents).containsExactly(25.0, 50.0, 65.0, 80.0);
        assertThat(options.connections).isEqualTo(64);
        assertThat(options.measuresStartup()).isFalse();
        assertThat(options.runOptions).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "--sceanrio=create, Unknown option: '--sceanrio=create'",
                "--scenario=sing, sing (expected: a code of Scenario)",
                "--warm=soon, 'soon' is not an int",
                "--warm=601, --warm: 601 (expected: 0 to 600)",
                "--first=0, --first: 0 (expected: 1 to 600)",
                "--seconds=0, --seconds: 0 (expected: 1 to 600)",
                "--connections=0, --connections: 0 (expected: 1 to 10000)",
                "--attach, --attach: no --home given",
                "create, create: unknown",
                "--warm, Missing required parameter for option '--warm'"
            })
    void namesAnInvalidOption(String argument, String message) {
        assertThatThrownBy(() -> parse(argument)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--sceanrio=create", "--warm=601", "--attach", "create"})
    void anInvalidOptionHasExitCode2(String argument) {
        assertThat(LoadTest.run(Path.of("."), argument)).isEqualTo(2);
    }

    @Test
    void helpDescribesEveryOption() {
        CommandLine line = LoadTest.commandLine(Path.of("."));

        assertThat(line.getUsageMessage())
                .contains(
                        "--figures",
                        "an audit failed",
                        "parts of the peak",
                        "Example: infra/loadtest/run --scenario pay --rate 1000,2000,3626");
        assertThat(line.getCommandSpec().options()).allSatisfy(option -> assertThat(option.description())
                .as(option.longestName())
                .isNotEmpty());
        assertThat(LoadTest.run(Path.of("."), "--help")).isZero();
    }

    private static LoadOptions parse(String... arguments) {
        CommandLine line = LoadTest.commandLine(Path.of("."), arguments);
        line.parseArgs(arguments);
        LoadOptions options = line.<LoadTest>getCommand().options();
        options.requireValid(line.getParseResult().originalArgs());
        return options;
    }
}
