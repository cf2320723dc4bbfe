package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.home.DemoEnvFile;
import dev.ligeiro.infra.launcher.home.DemoMerchant;
import dev.ligeiro.infra.launcher.home.DemoMerchants;
import dev.ligeiro.infra.launcher.home.Home;
import dev.ligeiro.infra.launcher.home.HomeLock;
import dev.ligeiro.infra.launcher.home.Orphan;
import dev.ligeiro.infra.launcher.home.PidFile;
import dev.ligeiro.infra.launcher.options.LaunchCommand;
import dev.ligeiro.infra.launcher.options.Options;
import dev.ligeiro.infra.launcher.options.Platform;
import dev.ligeiro.infra.launcher.options.PortCheck;
import dev.ligeiro.infra.launcher.service.BrokerAddresses;
import dev.ligeiro.infra.launcher.service.ServiceKind;
import dev.ligeiro.infra.launcher.service.ServiceSecrets;
import dev.ligeiro.infra.launcher.service.Services;
import dev.ligeiro.infra.launcher.supervise.Shutdown;
import dev.ligeiro.infra.launcher.supervise.Supervisor;
import dev.ligeiro.infra.launcher.terminal.Console;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;

/** The launcher: runs the whole system on this machine until Ctrl-C or SIGTERM. */
public final class Standalone {

    private final Options options;
    private final Path root;
    private final Home home;
    private final String adminToken;
    private final PidFile pids;
    private final DemoEnvFile demoEnv;

    private Standalone(Options options, Path root, Home home) {
        this.options = options;
        this.root = root;
        this.home = home;
        this.adminToken = System.getenv().getOrDefault("LIGEIRO_ADMIN_TOKEN", home.adminToken());
        this.pids = new PidFile(home.pids());
        this.demoEnv = new DemoEnvFile(home.demoEnv());
    }

    /** The system property {@code ligeiro.root}, set by {@code infra/run}, is the folder of the checkout. */
    public static void main(String... arguments) {
        Shutdown shutdown = new Shutdown();
        try {
            Platform.require(System.getProperty("os.name"), System.getProperty("os.arch"));
            Path root = Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath();
            PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
            LaunchCommand.parse(root.resolve(".ligeiro"), out, arguments)
                    .ifPresent(options -> run(options, root, shutdown));
        } catch (RuntimeException e) {
            shutdown.fail(e);
        }
    }

    private static void run(Options options, Path root, Shutdown shutdown) {
        Home home = Home.at(options.home());
        HomeLock.take(home);
        Standalone standalone = new Standalone(options, root, home);
        Orphan.stopAll(PidFile.orphans(home.pids()));
        PortCheck.requireFree(options);
        standalone.run(shutdown);
    }

    /** Returns when the system is ready. The threads that watch the processes keep this JVM alive. */
    private void run(Shutdown shutdown) {
        Console.print("Ligeiro (for Linux x86-64) starts in " + home.folder());
        Brokers brokers = Brokers.of(options, home, root);
        ServiceSecrets secrets = new ServiceSecrets(adminToken, home.webhookSecretKeys());
        Services services = new Services(options, root, home.logs(), brokers.addresses(), secrets);
        Supervisor supervisor = new Supervisor(brokers.local(), services.processes(), this::started);
        shutdown.stopOnExit(supervisor);
        supervisor.start();
        AdminApi admin = new AdminApi(new Api(options.adminUrl(), adminToken));
        DemoMerchant merchant = new DemoMerchants(home.demoMerchant(), options.publicUrl(), admin).get();
        demoEnv.publish(() -> demoEnv(brokers.addresses(), merchant));
        Console.print(NextSteps.text(options.publicUrl(), home, root));
    }

    private void started(String name, ChildProcess child) {
        pids.record(name, child);
        demoEnv.rewrite();
    }

    private DemoEnv demoEnv(BrokerAddresses brokers, DemoMerchant merchant) {
        return new DemoEnv(
                options.publicUrl(),
                options.adminUrl(),
                adminToken,
                merchant.apiKey(),
                merchant.platformId(),
                home.demoWebhookSecret(),
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
