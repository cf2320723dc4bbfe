package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Option;

class OptionsTest {

    private static final Path HOME = Path.of("/checkout/.ligeiro");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --gateways 2                    | Unknown options: '--gateways', '2'; see --help
                    --gateway                       | Missing required parameter for option '--gateway' (<gateways>); see --help
                    --gateway=                      | Invalid value for option '--gateway': '' is not an int; see --help
                    --gateway two                   | Invalid value for option '--gateway': 'two' is not an int; see --help
                    --gateway 0                     | --gateway: 0 (expected: 1 to 32)
                    --processor 33                  | --processor: 33 (expected: 1 to 32)
                    --webhook-dispatcher -1         | --webhook-dispatcher: -1 (expected: 1 to 32)
                    --port 1 --port 2               | option '--port' (<port>) should be specified only once; see --help
                    --port 65536                    | --port: 65536 (expected: ports from 1 to 65535)
                    --management-port 65534         | --management-port: 65536 (expected: ports from 1 to 65535)
                    --desk-port 65535               | --desk-port: 65536 (expected: ports from 1 to 65535)
                    --desk-port 8082                | --desk-port: 8082 (expected: a port that --management-port does not use; see --help)
                    --port 8083                     | --management-port: 8083 (expected: a port that --port does not use; see --help)
                    --mongodb-port 9193             | --mongodb-port: 9193 (expected: a port that --kafka-port does not use; see --help)
                    --mongodb-members 2             | --mongodb-members: 2 (expected: 1 or 3)
                    --kafka-brokers 0               | --kafka-brokers: 0 (expected: 1 or 3)
                    --kafka-brokers 3 --port 9197   | --kafka-port: 9197 (expected: a port that --port does not use; see --help)
                    --mongodb-cache-gb 0.1          | --mongodb-cache-gb: 0.1 (expected: 0.25 or more)
                    --mongodb-cache-gb NaN          | --mongodb-cache-gb: NaN (expected: 0.25 or more)
                    --mongodb-uri localhost:27017   | --mongodb-uri: localhost:27017 (expected: mongodb://...)
                    --programs /nowhere             | --programs: /nowhere has no jre/bin/java (expected: a folder that infra/images has made)
                    --kafka-bootstrap-servers=      | --kafka-bootstrap-servers: its value is missing (expected: host:port,...)
                    --bank --port 8084              | --management-port: 8084 (expected: a port that --port does not use; see --help)
                    --bank --mongodb-port 8444      | --bank-port: 8444 (expected: a port that --mongodb-port does not use; see --help)
                    --secure --mongodb-uri mongodb://db/x       | --secure: not with --mongodb-uri (expected: a MongoDB that this command starts)
                    --secure --kafka-bootstrap-servers a:1      | --secure: not with --kafka-bootstrap-servers (expected: a Kafka that this command starts)
                    start                           | Unmatched argument at index 0: 'start'; see --help
                    """)
    void refusesWithTheOptionAndTheExpectedValue(String line, String message) {
        assertThatThrownBy(() -> parse(line.split(" ")))
                .isInstanceOf(CannotStartException.class)
                .hasMessage(message);
    }

    @Test
    void theProgramsOfImagesHaveAJarOfEachService(@TempDir Path programs) throws IOException {
        for (String file :
                List.of("jre/bin/java", "gateway/service.jar", "processor/service.jar", "desk/service.jar")) {
            Files.createDirectories(programs.resolve(file).getParent());
            Files.createFile(programs.resolve(file));
        }
        assertThatThrownBy(() -> parse("--programs", programs.toString()))
                .hasMessage(
                        "--programs: %s has no webhook-dispatcher/service.jar"
                                + " (expected: a folder that infra/images has made)",
                        programs);

        Files.createDirectory(programs.resolve("webhook-dispatcher"));
        Files.createFile(programs.resolve("webhook-dispatcher/service.jar"));
        assertThat(parse("--programs", programs.toString()).programs).isEqualTo(programs);
    }

    /** {@code infra/run --help} prints the file, without a build. */
    @Test
    void theHelpNamesEachOptionAndItsDefault() throws IOException {
        String help = Files.readString(Path.of("usage.txt"));
        for (Field field : Options.class.getDeclaredFields()) {
            Option option = field.getAnnotation(Option.class);
            if (option != null) {
                assertThat(help).containsPattern("\n +" + option.names()[0] + "[= ]");
            }
        }
        Options defaults = parse();
        assertThat(help)
                .contains(
                        "(default: " + defaults.port + ")",
                        "(default: " + defaults.managementPort + "): gateway",
                        "(default: the first management port + 4, " + defaults.deskPort() + ")",
                        "(default: " + defaults.kafkaPort + ")",
                        "(default: " + defaults.mongodbPort + ")",
                        "(default: " + defaults.bankPort + ")");
    }

    @Test
    void refusesATakenPortAndNamesItsOption() {
        assertThatThrownBy(() -> parse().requireFreePorts(port -> port != 8082))
                .hasMessage("port 8082 is taken by another process: free it, or choose another with --management-port");
    }

    @Test
    void doesNotCheckThePortsOfExternalBrokers() {
        Set<Integer> taken = Set.of(9192, 9193, 27117);
        parse("--mongodb-uri", "mongodb://db/x", "--kafka-bootstrap-servers", "a:1")
                .requireFreePorts(port -> !taken.contains(port));
    }

    @Test
    void withoutABankItsPortsMayBeTaken() {
        Set<Integer> taken = Set.of(8084, 8443, 8444);
        parse().requireFreePorts(port -> !taken.contains(port));
        assertThatThrownBy(() -> parse("--bank").requireFreePorts(port -> port != 8444))
                .hasMessage("port 8444 is taken by another process: free it, or choose another with --bank-port");
    }

    static Options parse(String... arguments) {
        return Options.parse(HOME, arguments);
    }
}
