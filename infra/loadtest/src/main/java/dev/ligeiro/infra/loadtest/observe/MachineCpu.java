package dev.ligeiro.infra.loadtest.observe;

/**
 * CPU of the whole machine so far ({@code /proc/stat}): what of it is no process of the run shows whether the machine was left alone.
 *
 * @param busyMicros used by anything: programs, the kernel, its interrupts
 * @param stolenMicros taken by the host of a virtual machine
 */
public record MachineCpu(long busyMicros, long stolenMicros) {

    private static final long MICROS_PER_TICK = 10_000;
    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;

    static MachineCpu now() {
        return parse(ProcFiles.read("stat"));
    }

    /** Guests, the fields after the stolen time, are counted within user time already. */
    static MachineCpu parse(String stat) {
        String[] fields = stat.substring(0, stat.indexOf('\n')).split(" +");
        long busy = 0;
        for (int i = 1; i < STEAL; i++) {
            busy += i == IDLE || i == IO_WAIT ? 0 : Long.parseLong(fields[i]);
        }
        return new MachineCpu(busy * MICROS_PER_TICK, Long.parseLong(fields[STEAL]) * MICROS_PER_TICK);
    }

    MachineCpu since(MachineCpu before) {
        return new MachineCpu(busyMicros - before.busyMicros, stolenMicros - before.stolenMicros);
    }
}
