package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.MachineCpu;
import dev.ligeiro.infra.loadtest.system.Processes;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts further processes of one service and stops them again while the load runs, and measures each phase. */
final class ScaleService {

    /** The parts of the service's time at which it is scaled up and down, and the least parts with more and again with fewer processes. */
    private static final double UP_AT = 0.2;

    private static final double DOWN_AT = 0.65;
    private static final double STAY_MIN = 0.1;

    private final ScaledLoad run;
    private final Role service;
    private final int processes;
    private final List<Long> pids;
    private final int port;
    private final List<ScalePhase> phases = new ArrayList<>();

    /** The state at the beginning or the end of a phase. */
    private record Snapshot(
            double second, long finished, long failed, long doubled, MachineCpu machine, int processes, long micros) {}

    /** @param processes of the service at the most */
    ScaleService(ScaledLoad run, Role service, int processes) {
        this.run = run;
        this.service = service;
        this.processes = processes;
        this.pids = run.context().processes().pids().getOrDefault(service, List.of());
        this.port = URI.create(run.context().system().env().baseUrl()).getPort();
    }

    /** Takes this long, or longer when the processes start slowly. */
    List<ScalePhase> run(double seconds) {
        long startAt = System.nanoTime();
        try (Pods pods = new Pods(service, pids.get(0))) {
            measure(pods, () -> stay(startAt, UP_AT * seconds, 0));
            measure(pods, () -> start(pods));
            measure(pods, () -> stay(startAt, DOWN_AT * seconds, STAY_MIN * seconds));
            measure(pods, () -> stop(pods));
            measure(pods, () -> stay(startAt, seconds, STAY_MIN * seconds));
        }
        return phases;
    }

    private static void stay(long startAt, double untilSecond, double secondsMin) {
        double now = (double) (System.nanoTime() - startAt) / TimeUnit.SECONDS.toNanos(1);
        Waits.until(startAt + (long) (Math.max(untilSecond, now + secondsMin) * TimeUnit.SECONDS.toNanos(1)));
    }

    private void start(Pods pods) {
        pods.start(processes - pids.size());
        if (service == Role.GATEWAY) {
            run.generator()
                    .spread(Stream.concat(Stream.of(port), pods.ports().stream())
                            .toList());
        }
    }

    private void stop(Pods pods) {
        if (service == Role.GATEWAY) {
            run.generator().spread(List.of(port));
        }
        pods.stop().forEach(fault -> run.context().faults().add("process that did not stop in good order", fault));
    }

    private void measure(Pods pods, Runnable phase) {
        Snapshot before = snapshot(pods);
        phase.run();
        Snapshot after = snapshot(pods);
        double seconds = after.second() - before.second();
        long micros = after.micros() - before.micros();
        ScalePhase result = new ScalePhase(
                service,
                before.processes(),
                after.processes(),
                before.second(),
                after.second(),
                (after.finished() - before.finished()) / seconds,
                after.machine().busyCores(before.machine(), seconds),
                before.processes() > after.processes() ? null : micros / seconds / TimeUnit.SECONDS.toMicros(1),
                run.context().lag().records(),
                after.failed() - before.failed(),
                after.doubled() - before.doubled());
        phases.add(result);
        Progress.say("  %s", result);
    }

    private Snapshot snapshot(Pods pods) {
        List<Long> all = Stream.concat(pids.stream(), pods.pids().stream()).toList();
        return new Snapshot(
                run.responses().second(System.nanoTime()),
                run.load().finished(),
                run.load().failures(),
                run.doubled(),
                MachineCpu.read(),
                all.size(),
                Processes.cpuMicros(all));
    }
}
