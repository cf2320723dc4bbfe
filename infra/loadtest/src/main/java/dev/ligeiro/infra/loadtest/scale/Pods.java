package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Processes;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Further processes of a service that {@code infra/run} has started: the command line and the environment of the running one, other
 * ports, another log. {@code infra/run} does not know them; {@link #close} kills those that still run.
 */
final class Pods implements AutoCloseable {

    private static final Duration READY_MAX = Duration.ofMinutes(3);
    /** As much as {@code infra/run} grants. */
    private static final Duration STOP_MAX = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(50);
    private static final String STOPPED_BY_SIGTERM = "signal 15";

    private final Role role;
    private final List<String> command;
    private final Map<String, String> environment;
    private final List<Pod> pods = new ArrayList<>();

    /** @param port of the API; only a gateway listens there */
    private record Pod(ChildProcess process, int managementPort, int port) {

        boolean isReady() {
            try {
                return new JsonApi("http://127.0.0.1:" + managementPort, null)
                                .get("/actuator/health/readiness")
                                .status()
                        == 200;
            } catch (ApiException noAnswerYet) {
                return false;
            }
        }
    }

    /** @param pid of the running process */
    Pods(Role role, long pid) {
        this.role = role;
        this.command = Processes.texts(pid, "cmdline").stream()
                .filter(argument -> !writesArchive(argument))
                .toList();
        this.environment = Processes.environment(pid);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end-" + role.code()));
    }

    /** The class archive's draft belongs to the running process. */
    private static boolean writesArchive(String argument) {
        return argument.startsWith("-XX:ArchiveClassesAtExit=") || argument.startsWith("-XX:AOTCacheOutput=");
    }

    /** Starts them at once; returns when all are ready. */
    void start(int count) {
        for (int i = 0; i < count; i++) {
            pods.add(spawn(i + 1));
        }
        for (Pod pod : pods) {
            Waits.until(() -> !pod.process().isAlive() || pod.isReady(), POLL, READY_MAX);
            if (!pod.process().isAlive() || !pod.isReady()) {
                throw new CannotRunException(pod.process().failureSummary());
            }
        }
    }

    private Pod spawn(int number) {
        int port = Ports.free();
        int managementPort = Ports.free();
        String name = role.code() + "-scale-" + number;
        Path log = Path.of(environment.getOrDefault("LOGGING_FILE_NAME", name)).resolveSibling(name + ".log");
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("MANAGEMENT_SERVER_PORT", Integer.toString(managementPort));
        settings.put("LOGGING_FILE_NAME", log.toString());
        if (role == Role.GATEWAY) {
            settings.put("SERVER_PORT", Integer.toString(port));
            // the default; infra/run gives a single gateway 0 s, because its clients have no other one
            settings.put("LIGEIRO_HTTP_DRAIN_TIME", "5s");
        }
        // as infra/run does: creates go first
        List<String> prioritized = role == Role.GATEWAY ? command : ChildProcess.withLowerPriority(command);
        Path output = log.resolveSibling(name + ".out");
        return new Pod(ChildProcess.spawn(name, prioritized, settings, output), managementPort, port);
    }

    /**
     * Sends SIGTERM to all at once; returns when they have exited.
     *
     * @return a sentence for each process that did not exit by SIGTERM in time
     */
    List<String> stop() {
        pods.forEach(pod -> pod.process().handle().destroy());
        List<String> faults = new ArrayList<>();
        for (Pod pod : pods) {
            boolean inTime = pod.process().stop(STOP_MAX);
            if (!inTime || !pod.process().exitStatus().equals(STOPPED_BY_SIGTERM)) {
                faults.add(pod.process().failureSummary());
            }
        }
        pods.clear();
        return faults;
    }

    List<Long> pids() {
        return pods.stream().map(pod -> pod.process().pid()).toList();
    }

    /** The ports of the API, of gateways. */
    List<Integer> ports() {
        return pods.stream().map(Pod::port).toList();
    }

    @Override
    public void close() {
        pods.stream().map(Pod::process).filter(ChildProcess::isAlive).forEach(ChildProcess::kill);
    }
}
