package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.JsonApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A whole Ligeiro on this machine, not yet started. */
record LocalSystem(Fleet fleet, BrokerAddresses brokers, ServiceSettings settings, AdminApi admin) {

    /**
     * @param command what starts a service, asked for at each start
     * @param onStart is told of each start of each process, by its name
     */
    static LocalSystem of(
            Options options,
            Home home,
            Path root,
            List<UnpackedService> services,
            Function<UnpackedService, List<String>> command,
            BiConsumer<String, ChildProcess> onStart) {
        Brokers brokers = Brokers.of(options, home, root);
        ServiceSettings settings = new ServiceSettings(options, brokers.addresses(), home.logs(), home.adminToken());
        Fleet fleet = new Fleet(
                supervised(brokers.local(), onStart),
                supervised(processes(options, settings, services, command), onStart));
        AdminApi admin = new AdminApi(new JsonApi(settings.adminUrl(), home.adminToken()));
        return new LocalSystem(fleet, brokers.addresses(), settings, admin);
    }

    private static List<Supervised> supervised(
            List<? extends LocalProcess> processes, BiConsumer<String, ChildProcess> onStart) {
        return processes.stream()
                .map(process -> new Supervised(process, onStart))
                .toList();
    }

    private static List<ServiceProcess> processes(
            Options options,
            ServiceSettings settings,
            List<UnpackedService> services,
            Function<UnpackedService, List<String>> command) {
        ManagementPorts managementPorts = new ManagementPorts(options, Ports::isFree);
        List<ServiceProcess> processes = new ArrayList<>();
        for (UnpackedService service : services) {
            int number = 0;
            for (int port : managementPorts.of(service.kind())) {
                processes.add(settings.instance(service.kind(), () -> command.apply(service), ++number, port));
            }
        }
        return processes;
    }
}
