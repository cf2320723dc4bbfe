package dev.ligeiro.infra.loadtest.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.loadtest.LoadTest;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LoadOptionsTest {

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

    private static LoadOptions parse(String... arguments) {
        CommandLine line = LoadTest.commandLine(Path.of("."), arguments);
        line.parseArgs(arguments);
        LoadOptions options = line.<LoadTest>getCommand().options();
        options.requireValid(line.getParseResult().originalArgs());
        return options;
    }
}
