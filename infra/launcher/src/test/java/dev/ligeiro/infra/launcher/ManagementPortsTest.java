package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ManagementPortsTest {

    @Test
    void firstInstancesGetTheDocumentedPortsAndFurtherOnesTheNextFreePorts() {
        ManagementPorts ports = new ManagementPorts(
                OptionsTest.parse("--processor", "3", "--webhook-dispatcher", "2", "--kafka-port", "8085"),
                port -> port != 8084);
        assertThat(ports.of(ServiceKind.PROCESSOR)).containsExactly(8082, 8087, 8088);
        assertThat(ports.of(ServiceKind.GATEWAY)).containsExactly(8081);
        assertThat(ports.of(ServiceKind.WEBHOOK_DISPATCHER)).containsExactly(8083, 8089);
    }

    @Test
    void theFirstProcessorTakesTheNoticesOfTheBank() {
        ManagementPorts ports = new ManagementPorts(
                OptionsTest.parse("--bank", "--processor", "2", "--gateway", "2"), port -> port != 8085);
        assertThat(ports.ofNotices()).containsExactly(8084, 8086);
        assertThat(ports.of(ServiceKind.GATEWAY)).containsExactly(8081, 8087);
        assertThat(ports.of(ServiceKind.PROCESSOR)).containsExactly(8082, 8088);
    }

    @Test
    void saysWhichOptionLeavesNoPort() {
        ManagementPorts ports =
                new ManagementPorts(OptionsTest.parse("--management-port", "65532", "--gateway", "3"), port -> true);
        assertThatThrownBy(() -> ports.of(ServiceKind.GATEWAY))
                .isInstanceOf(CannotStartException.class)
                .hasMessage(
                        "--management-port: 65532 (expected: a lower one, since the further instances find no free port"
                                + " up to 65535)");
    }
}
