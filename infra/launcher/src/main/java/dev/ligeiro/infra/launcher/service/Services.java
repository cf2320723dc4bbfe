package dev.ligeiro.infra.launcher.service;

import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.launcher.options.Options;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Describes the processes of all instances of the services. */
public final class Services {

    private final Options options;
    private final Path root;
    private final Path logs;
    private final ServiceSettings settings;

    /**
     * @param root the checkout
     * @param logs the folder of their logs
     */
    public Services(Options options, Path root, Path logs, BrokerAddresses brokers, ServiceSecrets secrets) {
        this.options = options;
        this.root = root;
        this.logs = logs;
        this.settings = new ServiceSettings(
                options, brokers, logs, secrets, System.getenv().keySet());
    }

    public List<LocalProcess> processes() {
        ManagementPorts managementPorts = new ManagementPorts(options, Ports::isFree);
        List<LocalProcess> processes = new ArrayList<>();
        for (ServiceKind kind : ServiceKind.values()) {
            ServiceProgram program = new ServiceProgram(kind, root);
            int number = 0;
            for (int port : managementPorts.of(kind)) {
                String name = kind.module() + "-" + ++number;
                processes.add(new ServiceProcess(program, name, logs, port, settings.of(kind, name, port)));
            }
        }
        return processes;
    }
}
