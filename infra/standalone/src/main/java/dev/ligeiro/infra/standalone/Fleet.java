package dev.ligeiro.infra.standalone;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** All processes of a system: started brokers first, stopped services first. */
final class Fleet {

    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final int ENDINGS_BEFORE_READY_MAX = 3;

    /** Longer than the longest shutdown phase of a service, which is the processor's 35 s. */
    private static final Duration SERVICE_GRACE = Duration.ofSeconds(40);

    private static final Duration BROKER_GRACE = Duration.ofSeconds(15);
    private static final long POLL_MILLIS = 200;

    private final List<Supervised> brokers;
    private final List<Supervised> services;

    /** @param services in the order of their start; the others wait until the first one is ready */
    Fleet(List<Supervised> brokers, List<Supervised> services) {
        this.brokers = List.copyOf(brokers);
        this.services = List.copyOf(services);
    }

    /** Returns once everything is ready. */
    void start() {
        bringUp(brokers);
        bringUp(services.subList(0, 1));
        bringUp(services.subList(1, services.size()));
    }

    /** Returns once everything is gone, within 60 s in all. */
    void stop() {
        stop(SERVICE_GRACE);
    }

    /**
     * Returns once everything is gone.
     *
     * @param grace what services get before they are killed
     * @return whether no service had to be
     */
    boolean stop(Duration grace) {
        boolean inGoodOrder = takeDown(services, grace);
        takeDown(brokers, BROKER_GRACE);
        return inGoodOrder;
    }

    private static void bringUp(List<Supervised> group) {
        long startedAt = System.nanoTime();
        group.forEach(Supervised::start);
        List<Supervised> waiting = new ArrayList<>(group);
        while (!waiting.isEmpty()) {
            Duration waited = Duration.ofNanos(System.nanoTime() - startedAt);
            waiting.removeIf(each -> isReady(each, waited));
            waiting.forEach(each -> requireHope(each, waited));
            pause();
        }
    }

    private static boolean isReady(Supervised each, Duration waited) {
        if (!each.ready()) {
            return false;
        }
        Console.say("  %-22s ready after %.1f s".formatted(each.name(), waited.toMillis() / 1000.0));
        return true;
    }

    private static void requireHope(Supervised each, Duration waited) {
        if (each.endings() >= ENDINGS_BEFORE_READY_MAX || waited.compareTo(READY_WITHIN) > 0) {
            throw new CannotStartException("it does not start: " + each.failureSummary());
        }
    }

    private static boolean takeDown(List<Supervised> group, Duration grace) {
        AtomicBoolean inGoodOrder = new AtomicBoolean(true);
        List<Thread> stops = group.stream()
                .map(each -> new Thread(
                        () -> {
                            if (!each.stop(grace)) {
                                inGoodOrder.set(false);
                            }
                        },
                        "stop-" + each.name()))
                .toList();
        stops.forEach(Thread::start);
        stops.forEach(Fleet::join);
        return inGoodOrder.get();
    }

    private static void join(Thread stop) {
        try {
            stop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStartException("interrupted while starting", e);
        }
    }
}
