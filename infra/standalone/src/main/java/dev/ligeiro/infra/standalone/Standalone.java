package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.standalone.home.DemoEnvFile;
import dev.ligeiro.infra.standalone.home.DemoMerchant;
import dev.ligeiro.infra.standalone.home.DemoMerchants;
import dev.ligeiro.infra.standalone.home.Home;
import dev.ligeiro.infra.standalone.home.HomeLock;
import dev.ligeiro.infra.standalone.home.Orphan;
import dev.ligeiro.infra.standalone.home.Pids;
import dev.ligeiro.infra.standalone.options.LaunchCommand;
import dev.ligeiro.infra.standalone.options.Options;
import dev.ligeiro.infra.standalone.options.Platform;
import dev.ligeiro.infra.standalone.options.PortCheck;
import dev.ligeiro.infra.standalone.service.BrokerAddresses;
import dev.ligeiro.infra.standalone.service.ServiceKind;
import dev.ligeiro.infra.standalone.service.Services;
import dev.ligeiro.infra.standalone.supervise.Ending;
import dev.ligeiro.infra.standalone.supervise.Fleet;
import dev.ligeiro.infra.standalone.terminal.Console;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;

/** Runs the whole system on this machine until it is stopped. */
public final class Standalone {

    private final Options options;
    private final Path root;
    private final Home home;
    private final Pids pids;
    private final DemoEnvFile demoEnv;

    private Standalone(Options options, Path root, Home home) {
        this.options = options;
        this.root = root;
        this.home = home;
        this.pids = new Pids(home.pids());
        this.demoEnv = new DemoEnvFile(home.demoEnv());
    }

    /** {@code infra/run} gives the folder of the checkout by the property {@code ligeiro.root}. */
    public static void main(String... arguments) {
        Ending ending = new Ending();
        try {
            Platform.require(System.getProperty("os.name"), System.getProperty("os.arch"));
            Path root = Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath();
            PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
            LaunchCommand.parse(root.resolve(".ligeiro"), out, arguments)
                    .ifPresent(options -> run(options, root, ending));
        } catch (RuntimeException e) {
            ending.fail(e);
        }
    }

    private static void run(Options options, Path root, Ending ending) {
        Home home = Home.at(options.home());
        HomeLock.take(home);
        Standalone standalone = new Standalone(options, root, home);
        Orphan.endAll(Pids.orphans(home.pids()));
        PortCheck.requireFree(options);
        standalone.run(ending);
    }

    /** Returns once everything is up; the threads that watch the processes keep this JVM alive. */
    private void run(Ending ending) {
        Console.say("Ligeiro (for Linux x86-64) starts in " + home.folder());
        Brokers brokers = Brokers.of(options, home, root);
        Services services = new Services(options, root, home.logs(), brokers.addresses(), home.adminToken());
        Fleet fleet = new Fleet(brokers.local(), services.processes(), this::started);
        ending.stopOnExit(fleet);
        fleet.start();
        AdminApi admin = new AdminApi(new JsonApi(options.adminUrl(), home.adminToken()));
        DemoMerchant merchant = new DemoMerchants(home.demoMerchant(), options.publicUrl(), admin).get();
        demoEnv.publish(() -> demoEnv(brokers.addresses(), merchant));
        Console.say(NextSteps.text(options.publicUrl(), home, root));
    }

    private void started(String name, ChildProcess child) {
        pids.record(name, child);
        demoEnv.rewrite();
    }

    private DemoEnv demoEnv(BrokerAddresses brokers, DemoMerchant merchant) {
        return new DemoEnv(
                options.publicUrl(),
                options.adminUrl(),
                home.adminToken(),
                merchant.apiKey(),
                merchant.platformId(),
                brokers.mongodbUri(),
                brokers.kafkaBootstrapServers(),
                new DemoEnv.Pids(
                        pids.of(ServiceKind.GATEWAY.module()),
                        pids.of(ServiceKind.PROCESSOR.module()),
                        pids.of(ServiceKind.WEBHOOK_DISPATCHER.module()),
                        pids.of("mongod"),
                        pids.of("kafka")));
    }
}
