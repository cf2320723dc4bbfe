package dev.ligeiro.infra.launcher;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Chooses the management ports, and the processors' ports for the notices of the bank: fixed ones for the first instance of each
 * service, the next free ones for further instances.
 */
final class ManagementPorts {

    private static final int PORT_MAX = 65_535;

    private final Options options;
    private final IntPredicate free;
    private int last;

    ManagementPorts(Options options, IntPredicate free) {
        this.options = options;
        this.free = free;
        this.last = options.noticePort() - 1;
    }

    /** @throws CannotStartException when no port is left */
    List<Integer> of(ServiceKind kind) {
        return withFirst(kind.managementPort(options), kind.instances(options));
    }

    /** One for each processor. The bank is given the first. */
    List<Integer> ofNotices() {
        return withFirst(options.noticePort(), options.processors);
    }

    private List<Integer> withFirst(int first, int count) {
        List<Integer> ports = new ArrayList<>();
        ports.add(first);
        while (ports.size() < count) {
            ports.add(next());
        }
        return Collections.unmodifiableList(ports);
    }

    private int next() {
        do {
            last++;
            requirePort(last);
        } while (isFixed(last) || !free.test(last));
        return last;
    }

    private void requirePort(int port) {
        if (port > PORT_MAX) {
            throw new CannotStartException(
                    "--management-port: %d (expected: a lower one, since the further instances find no free port up to %d)"
                            .formatted(options.managementPort, PORT_MAX));
        }
    }

    private boolean isFixed(int port) {
        return options.ports().values().stream().anyMatch(ports -> ports.contains(port));
    }
}
