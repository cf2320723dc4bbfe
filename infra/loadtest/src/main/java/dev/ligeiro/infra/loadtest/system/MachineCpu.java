package dev.ligeiro.infra.loadtest.system;

import java.util.concurrent.TimeUnit;

/**
 * CPU of the whole machine since its start.
 *
 * @param busyMicros programs, the kernel and its interrupts
 * @param stolenMicros taken by the host of a virtual machine
 */
public record MachineCpu(long busyMicros, long stolenMicros) {

    /** USER_HZ is 100 on every Linux that a JVM runs on. */
    private static final long MICROS_PER_TICK = 10_000;

    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;

    public static MachineCpu read() {
        return parse(Processes.read("stat"));
    }

    /** Cores busy since then, on average. */
    public double busyCores(MachineCpu before, double seconds) {
        return (busyMicros - before.busyMicros) / seconds / TimeUnit.SECONDS.toMicros(1);
    }

    /** Guest time, the fields after the stolen time, is part of user time already. */
    static MachineCpu parse(String stat) {
        String[] fields = stat.lines().findFirst().orElseThrow().split(" +");
        long busy = 0;
        for (int i = 1; i < STEAL; i++) {
            busy += i == IDLE || i == IO_WAIT ? 0 : Long.parseLong(fields[i]);
        }
        return new MachineCpu(busy * MICROS_PER_TICK, Long.parseLong(fields[STEAL]) * MICROS_PER_TICK);
    }
}
