package dev.ligeiro.infra.loadtest.observe;

/**
 * What {@code /proc/<pid>/stat} says (proc(5)).
 *
 * @param name of the program or the thread, cut by the kernel
 * @param cpuMicros used so far in user and kernel mode, in steps of 10 ms; of children none
 * @param startedMicros after the machine's start
 */
record ProcStat(String name, long parent, long cpuMicros, long startedMicros) {

    /** USER_HZ is 100 on every Linux that a JVM runs on. */
    private static final long MICROS_PER_TICK = 10_000;

    private static final int AFTER_NAME = 3;
    private static final int PARENT = 4 - AFTER_NAME;
    private static final int USER_TIME = 14 - AFTER_NAME;
    private static final int KERNEL_TIME = 15 - AFTER_NAME;
    private static final int START_TIME = 22 - AFTER_NAME;

    /** The name may hold spaces and parentheses: fields are counted from the last one. */
    static ProcStat parse(String stat) {
        int nameEnd = stat.lastIndexOf(')');
        String name = stat.substring(stat.indexOf('(') + 1, nameEnd);
        String[] fields = stat.substring(nameEnd + 2).split(" ");
        long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME]);
        return new ProcStat(
                name,
                Long.parseLong(fields[PARENT]),
                ticks * MICROS_PER_TICK,
                Long.parseLong(fields[START_TIME].strip()) * MICROS_PER_TICK);
    }
}
