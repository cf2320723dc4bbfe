package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.launcher.ServiceKind;
import java.util.List;

/** The launcher's ports, for a bank and up to three members of each broker: consecutive free ones. */
record FreePorts(int first) {

    private static final int COUNT = 18;

    static FreePorts find() {
        return new FreePorts(Ports.freeInARow(COUNT));
    }

    int http() {
        return first;
    }

    /** Of the first instance of the service. */
    int management(ServiceKind kind) {
        return first + 1 + kind.ordinal() + (kind == ServiceKind.DESK ? 1 : 0);
    }

    List<String> options() {
        return List.of(
                "--port=" + http(),
                "--management-port=" + management(ServiceKind.GATEWAY),
                "--kafka-port=" + (first + 7),
                "--mongodb-port=" + (first + 13),
                "--bank-port=" + (first + 16));
    }
}
