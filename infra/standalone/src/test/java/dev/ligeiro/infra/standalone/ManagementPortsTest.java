package dev.ligeiro.infra.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ManagementPortsTest {

    @Test
    void firstInstancesHaveTheDocumentedPortsAndOthersWhatIsFreeAbove() {
        ManagementPorts ports = new ManagementPorts(
                options("--processor", "3", "--webhook-dispatcher", "2", "--kafka-port", "8085"), port -> port != 8084);
        assertThat(ports.of(ServiceKind.PROCESSOR)).containsExactly(8082, 8087, 8088);
        assertThat(ports.of(ServiceKind.GATEWAY)).containsExactly(8081);
        assertThat(ports.of(ServiceKind.WEBHOOK_DISPATCHER)).containsExactly(8083, 8089);
    }

    @Test
    void aTakenPortIsRefusedWithTheOptionThatChangesIt() {
        assertThatThrownBy(() -> PortCheck.requireFree(options(), port -> port != 8082))
                .hasMessage("port 8082 is taken by another process: free it, or choose another with --management-port");
    }

    @Test
    void thePortsOfBrokersFromElsewhereAreNotNeeded() {
        Set<Integer> taken = Set.of(9192, 9193, 27117);
        PortCheck.requireFree(
                options("--mongodb-uri", "mongodb://db/x", "--kafka-bootstrap-servers", "a:1"),
                port -> !taken.contains(port));
    }

    private static Options options(String... arguments) {
        return CommandLine.parse(Path.of("/home"), arguments);
    }
}
