package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary.NoMongodException;
import dev.ligeiro.infra.brokers.Polling;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.Ports.PortTakenException;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.Home.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The launcher: runs the whole system on this machine until Ctrl-C or SIGTERM. */
public final class Standalone {

    private static final Duration LIVE_MODE_READY_WITHIN = Duration.ofMinutes(1);

    private final Options options;
    private final Path root;
    private final Home home;
    private final String adminToken;
    private final Brokers brokers;
    private final @Nullable DemoBank bank;
    private final PidFile pids;
    private DemoMerchant.@Nullable Modes merchant;

    private Standalone(Options options, Path root, Home home) {
        this.options = options;
        this.root = root;
        this.home = home;
        this.adminToken = System.getenv().getOrDefault("LIGEIRO_ADMIN_TOKEN", home.adminToken());
        this.brokers = Brokers.of(options, home, root);
        this.bank = options.bank
                ? new DemoBank(home.bank(), home.logs().resolve("bank.out"), options.bankPort, home.bankClientSecret())
                : null;
        this.pids = new PidFile(home.pids());
    }

    /** The system property {@code ligeiro.root}, set by {@code infra/run}, is the folder of the checkout. */
    public static void main(String... arguments) {
        Shutdown shutdown = new Shutdown();
        try {
            Path root = Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath();
            run(Options.parse(root.resolve(".ligeiro"), arguments), root, shutdown);
        } catch (RuntimeException e) {
            shutdown.fail(e);
        }
    }

    private static void run(Options options, Path root, Shutdown shutdown) {
        Home home = Home.at(options.home);
        home.lock();
        deleteDemoEnv(home);
        PidFile.stopOrphans(home.pids());
        options.requireFreePorts();
        Console.print("Ligeiro (for Linux x86-64) starts in " + home.folder());
        new Standalone(options, root, home).run(shutdown);
    }

    /** A program can wait for this run by waiting for the file. */
    private static void deleteDemoEnv(Home home) {
        try {
            Files.deleteIfExists(home.demoEnv());
        } catch (IOException e) {
            throw new CannotStartException(home.demoEnv() + " cannot be replaced: " + e, e);
        }
    }

    /**
     * Returns when the system is ready. A later start in the same home finds what the processors get from the bank at the first one. The
     * threads that watch the processes keep this JVM alive.
     */
    private void run(Shutdown shutdown) {
        List<LocalProcess> beforeServices = new ArrayList<>(brokers.local());
        if (bank != null) {
            beforeServices.add(bank);
        }
        List<ServiceProcess> all = processes();
        List<ServiceProcess> services =
                all.stream().filter(each -> each.kind() != ServiceKind.DESK).toList();
        List<ServiceProcess> desk =
                all.stream().filter(each -> each.kind() == ServiceKind.DESK).toList();
        Supervisor supervisor = new Supervisor(beforeServices, services, desk, this::started);
        shutdown.stopOnExit(supervisor, () -> train(all));
        boolean awaitsLiveMode = bank != null && !Files.exists(home.demoLiveMode());
        supervisor.startBrokers();
        if (brokers.security() != null) {
            int partitions = ServiceSettings.kafkaPartitions(options, System.getenv());
            BrokerRights.give(brokers, brokers.security(), options, partitions, root);
        }
        CompletableFuture<DemoMerchant.Modes> demo =
                CompletableFuture.supplyAsync(() -> DemoMerchant.keptIn(home, brokers, bank != null));
        supervisor.startServices();
        if (awaitsLiveMode && !Polling.until(() -> DemoBank.isConnected(services), LIVE_MODE_READY_WITHIN)) {
            Console.printEvent("live mode is not ready: the processors do not reach the bank");
        }
        ready(demo.join());
        Console.print(NextSteps.text(options.publicUrl(), home, root, bank != null));
    }

    /** Makes the ahead-of-time caches of the processes that have recorded, one after the other. A failed start has recorded nothing of use. */
    private synchronized void train(List<ServiceProcess> all) {
        for (ServiceProcess each : all) {
            if (each.records() && merchant != null) {
                Console.printEvent(
                        "making the ahead-of-time cache of " + each.kind().module() + " ...");
                long bytes = each.program().train(home.logs().resolve("training.out"));
                Console.printEvent("  %d MB".formatted(bytes >> 20));
            }
        }
    }

    /** The processes of all instances of the services. */
    private List<ServiceProcess> processes() {
        ServiceSettings settings = new ServiceSettings(
                options,
                brokers,
                bank,
                home.logs(),
                adminToken,
                home.webhookSecretKeys(),
                home.bundleSigningKey(),
                System.getenv().keySet());
        ManagementPorts managementPorts = new ManagementPorts(options, Ports::isFree);
        List<Integer> noticePorts = bank == null ? List.of() : managementPorts.ofNotices();
        List<ServiceProcess> processes = new ArrayList<>();
        for (ServiceKind kind : ServiceKind.values()) {
            ServiceProgram program = options.programs == null
                    ? ServiceProgram.ofBuild(kind, root)
                    : ServiceProgram.ofImages(kind, options.programs);
            int number = 0;
            for (int port : managementPorts.of(kind)) {
                String name = kind.module() + "-" + ++number;
                Map<String, String> own = kind == ServiceKind.PROCESSOR && bank != null
                        ? settings.ofProcessor(name, port, noticePorts.get(number - 1))
                        : settings.of(kind, name, port);
                processes.add(
                        new ServiceProcess(kind, program, name, home.logs(), port, own, options.train && number == 1));
            }
        }
        return processes;
    }

    private synchronized void ready(DemoMerchant.Modes demo) {
        merchant = demo;
        writeDemoEnv(demo);
    }

    /** After the system was ready, a process is started only to replace another one, so its pid is new. */
    private synchronized void started(String name, ChildProcess child) {
        pids.record(name, child);
        if (merchant != null) {
            writeDemoEnv(merchant);
        }
    }

    private void writeDemoEnv(DemoMerchant.Modes demo) {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("BASE_URL", options.publicUrl());
        env.put("ADMIN_URL", options.adminUrl());
        env.put("CONSOLE_URL", options.consoleUrl());
        env.put("ADMIN_TOKEN", adminToken);
        env.put("API_KEY", demo.test().apiKey());
        env.put("PLATFORM_ID", demo.test().platformId());
        env.put("WEBHOOK_SECRET", home.demoWebhookSecret());
        env.put("MONGODB_URI", brokers.mongodbUriOfTools());
        env.put("KAFKA_BOOTSTRAP_SERVERS", brokers.kafkaBootstrapServers());
        if (brokers.security() != null) {
            env.put("BROKERS_CA", brokers.security().ca().toString());
            env.put("KAFKA_CLIENT_SETTINGS", brokers.security().clientSettings().toString());
        }
        for (String process : List.of("gateway", "processor", "webhook-dispatcher", "desk", "mongod", "kafka")) {
            String name = process.replace('-', '_').toUpperCase(Locale.ROOT) + "_PID";
            env.put(name, pids.of(process).stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
        DemoMerchant live = demo.live();
        if (bank != null && live != null) {
            env.put("LIVE_API_KEY", live.apiKey());
            env.put("LIVE_PLATFORM_ID", live.platformId());
            env.put("BANK_URL", bank.url());
            env.put("BANK_CA", bank.ca().toString());
            env.put("BANK_CERT", bank.certificate().toString());
            env.put("BANK_KEY", bank.key().toString());
            env.put("BANK_CLIENT_ID", DemoBank.CLIENT_ID);
            env.put("BANK_CLIENT_SECRET", bank.clientSecret());
            env.put("BANK_PIX_KEY", DemoBank.PIX_KEY);
            env.put("BANK_CONTROL_URL", bank.controlUrl());
        }
        PrivateFile.write(home.demoEnv(), new DemoEnv(env).render());
    }

    /**
     * Ends the launcher, and the system before it. The exit code is 0 after Ctrl-C and SIGTERM, which are the usual ways to stop the
     * launcher (a JVM's own exit code would be 130 or 143), and 1 after a failed start.
     */
    static final class Shutdown {

        private volatile boolean begun;
        private volatile int exitCode;

        /**
         * Stops the system when this JVM is told to end.
         *
         * @param afterwards runs when the system has stopped
         * @throws CannotStartException when the JVM is ending already: then nothing may be started
         */
        void stopOnExit(Supervisor supervisor, Runnable afterwards) {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(supervisor, afterwards), "stop"));
            } catch (IllegalStateException shutdownHasBegun) {
                begun = true;
                throw new CannotStartException("stopped", shutdownHasBegun);
            }
        }

        private void stop(Supervisor supervisor, Runnable afterwards) {
            begun = true;
            Console.printEvent("stopping ...");
            supervisor.stop();
            try {
                afterwards.run();
            } catch (RuntimeException e) {
                System.err.println("ligeiro: " + e.getMessage());
                exitCode = 1;
            }
            Console.printEvent("stopped");
            Runtime.getRuntime().halt(exitCode);
        }

        /** Prints the reason and ends the JVM. Does nothing during a stop: the stop itself makes a start fail. */
        void fail(RuntimeException reason) {
            if (begun) {
                return;
            }
            exitCode = 1;
            if (isForTheUser(reason)) {
                System.err.println("ligeiro: " + reason.getMessage());
            } else {
                reason.printStackTrace();
            }
            System.exit(exitCode);
        }

        private static boolean isForTheUser(RuntimeException reason) {
            return reason instanceof CannotStartException
                    || reason instanceof ApiException
                    || reason instanceof PortTakenException
                    || reason instanceof NoMongodException;
        }
    }
}
