package dev.ligeiro.infra.launcher.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchCommandTest {

    private static final Path HOME = Path.of("/checkout/.ligeiro");

    @Test
    void defaults() {
        assertThat(parse())
                .isEqualTo(
                        new Options(HOME, 1, 1, 1, 8080, 8081, 9192, 27117, 1.0, Optional.empty(), Optional.empty()));
    }

    @Test
    void everyOptionInBothForms() {
        Options options = parse(
                "--home",
                "/data/a home",
                "--gateway=2",
                "--processor",
                "3",
                "--webhook-dispatcher=4",
                "--port",
                "80",
                "--management-port=90",
                "--kafka-port",
                "9292",
                "--mongodb-port=27217",
                "--mongodb-cache-gb",
                "4",
                "--mongodb-uri=mongodb://db/x?replicaSet=rs0",
                "--kafka-bootstrap-servers",
                "a:9092,b:9092");
        assertThat(options)
                .isEqualTo(new Options(
                        Path.of("/data/a home"),
                        2,
                        3,
                        4,
                        80,
                        90,
                        9292,
                        27217,
                        4.0,
                        Optional.of("mongodb://db/x?replicaSet=rs0"),
                        Optional.of("a:9092,b:9092")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --gateways 2                    | Unknown options: '--gateways', '2'; see --help
                    --gateway                       | Missing required parameter for option '--gateway' (N); see --help
                    --gateway=                      | Invalid value for option '--gateway': '' is not an int; see --help
                    --gateway two                   | Invalid value for option '--gateway': 'two' is not an int; see --help
                    --gateway 0                     | --gateway: 0 (expected: 1 to 32)
                    --processor 33                  | --processor: 33 (expected: 1 to 32)
                    --webhook-dispatcher -1         | --webhook-dispatcher: -1 (expected: 1 to 32)
                    --port 1 --port 2               | option '--port' (N) should be specified only once; see --help
                    --port 65536                    | --port: 65536 (expected: ports from 1 to 65535)
                    --management-port 65534         | --management-port: 65536 (expected: ports from 1 to 65535)
                    --port 8083                     | --management-port: 8083 (expected: a port that --port does not use; see --help)
                    --mongodb-port 9193             | --mongodb-port: 9193 (expected: a port that --kafka-port does not use; see --help)
                    --mongodb-cache-gb 0.1          | --mongodb-cache-gb: 0.1 (expected: 0.25 or more)
                    --mongodb-cache-gb NaN          | --mongodb-cache-gb: NaN (expected: 0.25 or more)
                    --mongodb-uri localhost:27017   | --mongodb-uri: localhost:27017 (expected: mongodb://...)
                    --kafka-bootstrap-servers=      | --kafka-bootstrap-servers: its value is missing (expected: host:port,...)
                    start                           | Unmatched argument at index 0: 'start'; see --help
                    """)
    void refusesWithTheOptionAndTheExpectedValue(String line, String message) {
        assertThatThrownBy(() -> parse(line.split(" ")))
                .isInstanceOf(CannotStartException.class)
                .hasMessage(message);
    }

    /** {@code infra/run --help} prints the file, without a build. On a failure, copy the help into the file. */
    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h"})
    void helpIsTheFileThatInfraRunPrints(String option) {
        StringWriter help = new StringWriter();
        assertThat(LaunchCommand.parse(HOME, new PrintWriter(help, true), option))
                .isEmpty();
        assertThat(Path.of("usage.txt")).hasContent(help.toString());
    }

    @Test
    void refusesOtherPlatforms() {
        assertThatThrownBy(() -> Platform.require("Mac OS X", "aarch64"))
                .isInstanceOf(CannotStartException.class)
                .hasMessage("this is Mac OS X aarch64 (expected: Linux on x86-64, with a JDK for it)");
    }

    private static Options parse(String... arguments) {
        return LaunchCommand.parse(HOME, new PrintWriter(new StringWriter()), arguments)
                .orElseThrow();
    }
}
