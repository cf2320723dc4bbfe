package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ManagementPortsTest {

    @Test
    void firstInstancesGetTheDocumentedPortsAndFurtherOnesTheNextFreePorts() {
        ManagementPorts ports = new ManagementPorts(
                OptionsTest.parse("--processor", "3", "--webhook-dispatcher", "2", "--kafka-port", "8087"),
                port -> port != 8084);
        assertThat(ports.of(ServiceKind.PROCESSOR)).containsExactly(8082, 8089, 8090);
        assertThat(ports.of(ServiceKind.GATEWAY)).containsExactly(8081);
        assertThat(ports.of(ServiceKind.WEBHOOK_DISPATCHER)).containsExactly(8083, 8091);
        assertThat(ports.of(ServiceKind.DESK)).containsExactly(8085);
    }

    @Test
    void theFirstProcessorTakesTheNoticesOfTheBank() {
        ManagementPorts ports = new ManagementPorts(
                OptionsTest.parse("--bank", "--processor", "2", "--gateway", "2"), port -> port != 8087);
        assertThat(ports.ofNotices()).containsExactly(8084, 8088);
        assertThat(ports.of(ServiceKind.GATEWAY)).containsExactly(8081, 8089);
        assertThat(ports.of(ServiceKind.PROCESSOR)).containsExactly(8082, 8090);
    }

    @Test
    void saysWhichOptionLeavesNoPort() {
        ManagementPorts ports =
                new ManagementPorts(OptionsTest.parse("--management-port", "65530", "--gateway", "3"), port -> true);
        assertThatThrownBy(() -> ports.of(ServiceKind.GATEWAY))
                .isInstanceOf(CannotStartException.class)
                .hasMessage(
                        "--management-port: 65530 (expected: a lower one, since the further instances find no free port"
                                + " up to 65535)");
    }
}
