package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.client.DemoEnv;
import java.nio.file.Path;
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
        Folders.delete(home.training()); // of a launcher that was killed
        List<UnpackedService> services = UnpackedService.all(root);
        if (options.hasOnlyLocalBrokers() && !services.stream().allMatch(UnpackedService::isTrained)) {
            train(services, ending);
        }
        LocalSystem system = LocalSystem.of(options, home, root, services, UnpackedService::command, this::started);
        ending.stopOnExit(system.fleet());
        system.fleet().start();
        DemoMerchant merchant =
                new DemoMerchants(home.demoMerchant(), system.settings().publicUrl(), system.admin()).get();
        demoEnv.publish(() -> demoEnv(system, merchant));
        Console.say(NextSteps.text(system.settings().publicUrl(), home, root));
    }

    /** Not worth failing for: without archives the services start, later. */
    private void train(List<UnpackedService> services, Ending ending) {
        Console.say(
                "A first run trains the services for quick starts (once a build; a transaction on brokers of its own) ...");
        try {
            TrainingRun training = new TrainingRun(services, home.training(), root, pids::record);
            ending.stopOnExit(training.fleet());
            training.run();
            ending.requireNotBegun();
            training.adopt();
            Console.say("... trained");
        } catch (RuntimeException e) {
            ending.requireNotBegun();
            Console.say("... not trained, starts take longer: " + e.getMessage());
        } finally {
            Folders.delete(home.training());
        }
    }

    private void started(String name, ChildProcess child) {
        pids.record(name, child);
        demoEnv.rewrite();
    }

    private DemoEnv demoEnv(LocalSystem system, DemoMerchant merchant) {
        return new DemoEnv(
                system.settings().publicUrl(),
                system.settings().adminUrl(),
                home.adminToken(),
                merchant.apiKey(),
                merchant.platformId(),
                system.brokers().mongodbUri(),
                system.brokers().kafkaBootstrapServers(),
                new DemoEnv.Pids(
                        pids.of(ServiceKind.GATEWAY.module()),
                        pids.of(ServiceKind.PROCESSOR.module()),
                        pids.of(ServiceKind.WEBHOOK_DISPATCHER.module()),
                        pids.of("mongod"),
                        pids.of("kafka")));
    }
}
