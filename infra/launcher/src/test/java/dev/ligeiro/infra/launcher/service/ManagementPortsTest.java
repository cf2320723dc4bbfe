package dev.ligeiro.infra.launcher.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.launcher.options.LaunchCommand;
import dev.ligeiro.infra.launcher.options.Options;
import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ManagementPortsTest {

    @Test
    void firstInstancesGetTheDocumentedPortsAndFurtherOnesTheNextFreePorts() {
        ManagementPorts ports = new ManagementPorts(
                options("--processor", "3", "--webhook-dispatcher", "2", "--kafka-port", "8085"), port -> port != 8084);
        assertThat(ports.of(ServiceKind.PROCESSOR)).containsExactly(8082, 8087, 8088);
        assertThat(ports.of(ServiceKind.GATEWAY)).containsExactly(8081);
        assertThat(ports.of(ServiceKind.WEBHOOK_DISPATCHER)).containsExactly(8083, 8089);
    }

    @Test
    void saysWhichOptionLeavesNoPort() {
        ManagementPorts ports =
                new ManagementPorts(options("--management-port", "65532", "--gateway", "3"), port -> true);
        assertThatThrownBy(() -> ports.of(ServiceKind.GATEWAY))
                .isInstanceOf(CannotStartException.class)
                .hasMessage(
                        "--management-port: 65532 (expected: a lower one, since the further instances find no free port"
                                + " up to 65535)");
    }

    private static Options options(String... arguments) {
        return LaunchCommand.parse(Path.of("/home"), new PrintWriter(Writer.nullWriter()), arguments)
                .orElseThrow();
    }
}
