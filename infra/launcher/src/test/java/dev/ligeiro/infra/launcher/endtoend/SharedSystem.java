package dev.ligeiro.infra.launcher.endtoend;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.DeepDelete;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.ServiceKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole system, started by {@code infra/run} on free ports with a temporary home. All tests but {@link CrashRunIT},
 * {@link LiveRunIT} and {@link DisputedRunIT} share one with a bank, because a start takes up to half a minute on two cores. A test may leave it stopped:
 * {@link #running} starts it again.
 */
final class SharedSystem {

    private static final Duration STOP_WITHIN = Duration.ofSeconds(60);

    /** The services notice within half a second that Kafka is back, by default within a second. */
    private static final Map<String, String> QUICK_RECONNECT = Map.of(
            "SPRING_KAFKA_ADMIN_PROPERTIES_RECONNECT_BACKOFF_MAX_MS", "500",
            "SPRING_KAFKA_CONSUMER_PROPERTIES_RECONNECT_BACKOFF_MAX_MS", "500",
            "SPRING_KAFKA_PRODUCER_PROPERTIES_RECONNECT_BACKOFF_MAX_MS", "500");

    /**
     * Another process takes over a killed process's work after seconds; the default leases last half a minute and a minute. A create takes
     * up to 5 s until its command is sent. A submission that a killed processor did not make is found and repeated after 6 s, by default
     * after a minute.
     */
    private static final Map<String, String> QUICK_TAKEOVER = Map.of(
            "LIGEIRO_INTAKE_RETRY_DELAY_MAX", "1s",
            "LIGEIRO_REPUBLISH_APPEND_DELAY_MAX", "6s",
            "LIGEIRO_REPUBLISH_EVERY", "1s",
            "LIGEIRO_REPUBLISH_LEASE", "7s",
            "LIGEIRO_SIMULATOR_LATE_ARRIVAL", "3s",
            "LIGEIRO_SIMULATOR_CALL_TIMEOUT", "2s",
            "LIGEIRO_WEBHOOK_TOTAL_TIMEOUT", "3s",
            "LIGEIRO_WEBHOOK_LEASE", "7s");

    /** As in test JVMs: a process lives for seconds, and the second compiler would use more CPU than it saves. */
    static final Map<String, String> ONE_COMPILER = Map.of("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");

    /** With the bank: a call that a busy machine has lost is repeated after 10 s, by default after 4 minutes. */
    private static final Map<String, String> QUICK_BANK = Map.of(
            "LIGEIRO_RAILS_BANK_CALL_TIMEOUT", "5s",
            "LIGEIRO_RAILS_BANK_INQUIRE_AFTER", "1s",
            "LIGEIRO_RAILS_BANK_LATE_ARRIVAL", "5s");

    private static final SharedSystem SHARED = new SharedSystem(withQuickBank(forTests()));

    private final Path home;
    private final FreePorts ports = FreePorts.find();
    private volatile @Nullable Launcher launcher;
    private final Map<String, String> environment;
    private int starts;

    /** @param environment variables for the services */
    SharedSystem(Map<String, String> environment) {
        home = temporaryFolder();
        this.environment = withArchive(environment);
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndDelete, "end-" + home.getFileName()));
    }

    /** The system with the bank, started if it does not run. */
    static synchronized SharedSystem running() {
        if (!SHARED.isRunning()) {
            SHARED.start("--bank");
        }
        return SHARED;
    }

    private static Map<String, String> withQuickBank(Map<String, String> settings) {
        settings.putAll(QUICK_BANK);
        return settings;
    }

    /** No month is old enough to be archived, but the processors export the metrics of it. */
    private Map<String, String> withArchive(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("LIGEIRO_ARCHIVE_TO", "file:" + home);
        return Map.copyOf(all);
    }

    /** Settings with which short tests need not wait for long. */
    static Map<String, String> forTests() {
        Map<String, String> environment = new HashMap<>(QUICK_TAKEOVER);
        environment.putAll(QUICK_RECONNECT);
        environment.putAll(ONE_COMPILER);
        return environment;
    }

    /** Returns when the system is ready. */
    void start(String... moreOptions) {
        List<String> options = new ArrayList<>(List.of("--home=" + home, "--mongodb-cache-gb=0.25"));
        options.addAll(ports.options());
        options.addAll(List.of(moreOptions));
        Path output = home.resolve("launcher-%d.out".formatted(++starts));
        Launcher started = Launcher.start(output, environment, options);
        launcher = started;
        started.awaitUp();
    }

    /** Returns the launcher's exit status. */
    String stop() {
        Launcher current = launcher();
        current.stop(STOP_WITHIN);
        return current.exitStatus();
    }

    /** Waits until other processes run instead of those that have ended. */
    void awaitReplaced(List<Long> ended, Duration within) {
        await("restarted").atMost(within).until(() -> {
            List<Long> pids = environment().pids().all();
            return pids.stream().noneMatch(ended::contains) && pids.stream().allMatch(SharedSystem::isAlive);
        });
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    boolean isRunning() {
        return launcher != null && launcher.isAlive();
    }

    DemoEnv environment() {
        return DemoEnv.read(home.resolve("demo.env"));
    }

    /** The demo merchant. */
    EndToEndMerchant demoMerchant() {
        return EndToEndMerchant.demo(environment());
    }

    EndToEndMerchant newMerchant() {
        return EndToEndMerchant.create(environment());
    }

    /** The launcher's output in the current run. */
    String output() {
        return launcher().output();
    }

    Path home() {
        return home;
    }

    /** The port of the API. */
    int port() {
        return ports.http();
    }

    /** The management port of the first instance of the service. */
    int managementPort(ServiceKind kind) {
        return ports.management(kind);
    }

    private Launcher launcher() {
        if (launcher == null) {
            throw new IllegalStateException("never started");
        }
        return launcher;
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("ligeiro-end-to-end-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stopAndDelete() {
        try {
            if (isRunning()) {
                stop();
            }
            DeepDelete.delete(home);
        } catch (IOException e) {
            System.err.println("end-to-end: " + home + " could not be deleted: " + e.getMessage());
        }
    }

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
}
