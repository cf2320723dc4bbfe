package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Starts and stops all processes of a system: brokers start before the services and stop after them; the desk starts last. */
final class Supervisor {

    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final int EXITS_BEFORE_READY_MAX = 3;

    /** Longer than the processor's shutdown, which takes at most 35 s. */
    private static final Duration SERVICE_GRACE = Duration.ofSeconds(40);

    private static final Duration BROKER_GRACE = Duration.ofSeconds(15);

    private final List<SupervisedProcess> brokers;
    private final List<SupervisedProcess> services;
    private final List<SupervisedProcess> desk;

    /** @param onStart receives the name and the process at each start, restarts included */
    Supervisor(
            List<? extends LocalProcess> brokers,
            List<? extends LocalProcess> services,
            List<? extends LocalProcess> desk,
            BiConsumer<String, ChildProcess> onStart) {
        this.brokers = supervised(brokers, onStart);
        this.services = supervised(services, onStart);
        this.desk = supervised(desk, onStart);
    }

    private static List<SupervisedProcess> supervised(
            List<? extends LocalProcess> processes, BiConsumer<String, ChildProcess> onStart) {
        return processes.stream()
                .map(process -> new SupervisedProcess(process, onStart))
                .toList();
    }

    /**
     * Returns when all brokers are ready.
     *
     * @throws CannotStartException when a process has exited three times or is not ready within 3 minutes
     */
    void startBrokers() {
        startAll(brokers);
    }

    /** The desk starts when the first service is ready, a gateway: callers wait for that one. */
    void startServices() {
        long startedAt = System.nanoTime();
        services.forEach(SupervisedProcess::start);
        awaitReady(services.subList(0, 1), startedAt);
        long deskStartedAt = System.nanoTime();
        desk.forEach(SupervisedProcess::start);
        awaitReady(services.subList(1, services.size()), startedAt);
        awaitReady(desk, deskStartedAt);
    }

    /** Returns when all processes have exited, within 60 s: after their grace they are killed. */
    void stop() {
        stopAll(Stream.concat(services.stream(), desk.stream()).toList(), SERVICE_GRACE);
        stopAll(brokers, BROKER_GRACE);
    }

    private static void startAll(List<SupervisedProcess> group) {
        long startedAt = System.nanoTime();
        group.forEach(SupervisedProcess::start);
        awaitReady(group, startedAt);
    }

    private static void awaitReady(List<SupervisedProcess> group, long startedAt) {
        List<SupervisedProcess> waiting = new ArrayList<>(group);
        boolean inTime = Polling.until(
                () -> {
                    waiting.removeIf(each -> isReady(each, startedAt));
                    waiting.stream()
                            .filter(Supervisor::keepsExiting)
                            .findFirst()
                            .ifPresent(Supervisor::giveUp);
                    return waiting.isEmpty();
                },
                READY_WITHIN);
        if (!inTime) {
            giveUp(waiting.get(0));
        }
    }

    private static boolean isReady(SupervisedProcess each, long startedAt) {
        if (!each.ready()) {
            return false;
        }
        double seconds = (System.nanoTime() - startedAt) / 1e9;
        Console.print(String.format(Locale.ROOT, "  %-22s ready after %.1f s", each.name(), seconds));
        return true;
    }

    private static boolean keepsExiting(SupervisedProcess each) {
        return each.exits() >= EXITS_BEFORE_READY_MAX;
    }

    private static void giveUp(SupervisedProcess each) {
        throw new CannotStartException("the system does not start: " + each.failureSummary());
    }

    private static void stopAll(List<SupervisedProcess> group, Duration grace) {
        List<Thread> stops = group.stream()
                .map(each -> new Thread(() -> each.stop(grace), "stop-" + each.name()))
                .toList();
        stops.forEach(Thread::start);
        stops.forEach(Supervisor::join);
    }

    private static void join(Thread stop) {
        try {
            stop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
