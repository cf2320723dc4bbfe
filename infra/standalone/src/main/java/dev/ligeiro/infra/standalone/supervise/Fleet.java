package dev.ligeiro.infra.standalone.supervise;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Polling;
import dev.ligeiro.infra.standalone.terminal.CannotStartException;
import dev.ligeiro.infra.standalone.terminal.Console;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** All processes of a system. Brokers are started before services and stopped after them. */
public final class Fleet {

    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final int ENDINGS_BEFORE_READY_MAX = 3;

    /** Longer than the longest shutdown phase of a service, which is the processor's 35 s. */
    private static final Duration SERVICE_GRACE = Duration.ofSeconds(40);

    private static final Duration BROKER_GRACE = Duration.ofSeconds(15);

    private final List<Supervised> brokers;
    private final List<Supervised> services;

    /** @param onStart is called at each start of each process, with its name */
    public Fleet(
            List<? extends LocalProcess> brokers,
            List<? extends LocalProcess> services,
            BiConsumer<String, ChildProcess> onStart) {
        this.brokers = supervised(brokers, onStart);
        this.services = supervised(services, onStart);
    }

    private static List<Supervised> supervised(
            List<? extends LocalProcess> processes, BiConsumer<String, ChildProcess> onStart) {
        return processes.stream()
                .map(process -> new Supervised(process, onStart))
                .toList();
    }

    /**
     * Returns once everything is ready.
     *
     * @throws CannotStartException when a process has ended three times or is not ready within 3 minutes
     */
    public void start() {
        bringUp(brokers);
        bringUp(services);
    }

    /** Returns once everything is gone, within 60 s in all. */
    public void stop() {
        takeDown(services, SERVICE_GRACE);
        takeDown(brokers, BROKER_GRACE);
    }

    private static void bringUp(List<Supervised> group) {
        long startedAt = System.nanoTime();
        group.forEach(Supervised::start);
        List<Supervised> waiting = new ArrayList<>(group);
        boolean inTime = Polling.until(
                () -> {
                    waiting.removeIf(each -> isReady(each, startedAt));
                    waiting.stream()
                            .filter(Fleet::endsAgainAndAgain)
                            .findFirst()
                            .ifPresent(Fleet::giveUp);
                    return waiting.isEmpty();
                },
                READY_WITHIN);
        if (!inTime) {
            giveUp(waiting.get(0));
        }
    }

    private static boolean isReady(Supervised each, long startedAt) {
        if (!each.ready()) {
            return false;
        }
        Console.say("  %-22s ready after %.1f s".formatted(each.name(), (System.nanoTime() - startedAt) / 1e9));
        return true;
    }

    private static boolean endsAgainAndAgain(Supervised each) {
        return each.endings() >= ENDINGS_BEFORE_READY_MAX;
    }

    private static void giveUp(Supervised each) {
        throw new CannotStartException("it does not start: " + each.failureSummary());
    }

    private static void takeDown(List<Supervised> group, Duration grace) {
        List<Thread> stops = group.stream()
                .map(each -> new Thread(() -> each.stop(grace), "stop-" + each.name()))
                .toList();
        stops.forEach(Thread::start);
        stops.forEach(Fleet::join);
    }

    private static void join(Thread stop) {
        try {
            stop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
