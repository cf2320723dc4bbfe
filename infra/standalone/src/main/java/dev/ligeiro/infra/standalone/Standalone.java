package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the whole system on this machine until it is told to stop. */
public final class Standalone {

    private final Options options;
    private final Path root;
    private final Home home;
    private final Pids pids;
    private final DemoEnvFile demoEnv;

    private Standalone(Options options, Path root, Home home, DemoEnvFile demoEnv) {
        this.options = options;
        this.root = root;
        this.home = home;
        this.pids = new Pids(home.pids());
        this.demoEnv = demoEnv;
    }

    /** {@code infra/run} says by the property {@code ligeiro.root} where the checkout is. */
    public static void main(String... arguments) {
        Ending ending = new Ending();
        try {
            Path root = Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath();
            Options options = CommandLine.parse(root.resolve(".ligeiro"), arguments);
            Home home = Home.at(options.home());
            HomeLock.take(home);
            DemoEnvFile demoEnv = new DemoEnvFile(home.demoEnv());
            Orphan.endAll(Pids.orphans(home.pids()));
            PortCheck.requireFree(options);
            new Standalone(options, root, home, demoEnv).run(ending);
        } catch (RuntimeException e) {
            ending.fail(e);
        }
    }

    /** Returns once everything is up; the threads that watch the processes keep this JVM alive. */
    private void run(Ending ending) {
        Console.say("Ligeiro starts in " + home.folder());
        Brokers brokers = Brokers.of(options, home, root);
        ServiceSettings settings = new ServiceSettings(options, brokers.addresses(), home.logs(), home.adminToken());
        Fleet fleet = new Fleet(supervised(brokers.local()), supervised(services(settings)));
        ending.stopOnExit(fleet);
        fleet.start();
        AdminApi admin = new AdminApi(settings.publicUrl(), settings.adminUrl(), home.adminToken());
        DemoMerchant merchant = new DemoMerchants(home.demoMerchant(), admin).get();
        demoEnv.publish(() -> demoEnv(settings, brokers.addresses(), merchant));
        Console.say(NextSteps.text(settings.publicUrl(), home, root));
    }

    private List<Supervised> supervised(List<? extends LocalProcess> processes) {
        return processes.stream()
                .map(process -> new Supervised(process, this::started))
                .toList();
    }

    private void started(String name, ChildProcess child) {
        pids.record(name, child);
        demoEnv.rewrite();
    }

    private List<ServiceProcess> services(ServiceSettings settings) {
        ManagementPorts managementPorts = new ManagementPorts(options, Ports::isFree);
        List<ServiceProcess> services = new ArrayList<>();
        for (ServiceKind kind : ServiceKind.values()) {
            UnpackedService service = unpacked(kind);
            int number = 0;
            for (int port : managementPorts.of(kind)) {
                services.add(settings.instance(kind, service, ++number, port));
            }
        }
        return services;
    }

    private UnpackedService unpacked(ServiceKind kind) {
        UnpackedService service = new UnpackedService(kind, ServiceJars.of(kind, root));
        if (service.isUnprepared()) {
            Console.say("  " + kind.module() + ": archives its classes for quick starts (once a build) ...");
            service.prepare(home.logs().resolve(kind.module() + "-training.out"));
        }
        return service;
    }

    private DemoEnv demoEnv(ServiceSettings settings, BrokerAddresses brokers, DemoMerchant merchant) {
        return new DemoEnv(
                settings.publicUrl(),
                settings.adminUrl(),
                home.adminToken(),
                merchant.apiKey(),
                merchant.platformId(),
                brokers.mongodbUri(),
                brokers.kafkaBootstrapServers(),
                pids.of(ServiceKind.GATEWAY.module()),
                pids.of(ServiceKind.PROCESSOR.module()),
                pids.of(ServiceKind.WEBHOOK_DISPATCHER.module()),
                pids.of("mongod"),
                pids.of("kafka"));
    }
}
