package dev.ligeiro.infra.launcher.options;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortCheckTest {

    @Test
    void refusesATakenPortAndNamesItsOption() {
        assertThatThrownBy(() -> PortCheck.requireFree(options(), port -> port != 8082))
                .hasMessage("port 8082 is taken by another process: free it, or choose another with --management-port");
    }

    @Test
    void doesNotCheckThePortsOfExternalBrokers() {
        Set<Integer> taken = Set.of(9192, 9193, 27117);
        PortCheck.requireFree(
                options("--mongodb-uri", "mongodb://db/x", "--kafka-bootstrap-servers", "a:1"),
                port -> !taken.contains(port));
    }

    private static Options options(String... arguments) {
        return LaunchCommand.parse(Path.of("/home"), new PrintWriter(Writer.nullWriter()), arguments)
                .orElseThrow();
    }
}
