package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Processes;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.TransactionId;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures the time from the start of the gateway's process to its first 201. It ends the gateway; the launcher starts it again; it
 * then asks until the first 201. Asking must cost little CPU, because a start uses both cores.
 */
final class MeasureStartup {

    private static final int STARTS = 5;
    private static final Duration START_MAX = Duration.ofSeconds(120);
    private static final Duration POLL = Duration.ofMillis(5);
    /** The start time is field 22 of {@code /proc/<pid>/stat} (proc(5)); the process's name, field 2, may contain spaces. */
    private static final int START_TIME_AFTER_NAME = 22 - 3;

    private static final int MILLIS_PER_TICK = 10;

    private final LoadTestContext context;

    MeasureStartup(LoadTestContext context) {
        this.context = context;
    }

    /** Milliseconds of each start. */
    List<Long> run() {
        List<Long> millis = new ArrayList<>();
        for (int start = 1; start <= STARTS; start++) {
            millis.add(measure());
            Progress.say("startup %d of %d: first 201 after %d ms", start, STARTS, millis.get(start - 1));
        }
        return millis;
    }

    private long measure() {
        long before = gatewayPid();
        int port = URI.create(context.merchant().api().baseUrl()).getPort();
        long giveUpAt = System.nanoTime() + START_MAX.toNanos();
        ProcessHandle.of(before).ifPresent(gateway -> {
            gateway.destroy();
            gateway.onExit().join();
        });
        while (System.nanoTime() < giveUpAt) {
            Waits.until(System.nanoTime() + POLL.toNanos());
            long pid = gatewayPid();
            Optional<TransactionId> created = pid != before && Ports.answers(port) ? create() : Optional.empty();
            if (created.isPresent()) {
                long millis = uptimeMillis(pid);
                context.stored().get(created.get());
                return millis;
            }
        }
        throw new CannotRunException("no 201 within " + START_MAX.toSeconds() + " s of the gateway's end");
    }

    /** Empty while the gateway is not ready. */
    private Optional<TransactionId> create() {
        try {
            return Optional.of(LoadTestContext.createCashin(context.merchant()));
        } catch (ApiException notReady) {
            return Optional.empty();
        }
    }

    private long gatewayPid() {
        List<Long> pids = context.system().env().pids().gateway();
        if (pids.size() != 1) {
            throw new CannotRunException("the startup scenario needs one gateway (there are " + pids.size() + ")");
        }
        return pids.get(0);
    }

    /** The time since the process's start, by the machine's own clock, in steps of 10 ms. */
    static long uptimeMillis(long pid) {
        String stat = Processes.read(Long.toString(pid), "stat");
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        double machineSeconds = Double.parseDouble(Processes.read("uptime").split(" ")[0]);
        return Math.round(machineSeconds * 1000) - MILLIS_PER_TICK * Long.parseLong(afterName[START_TIME_AFTER_NAME]);
    }
}
