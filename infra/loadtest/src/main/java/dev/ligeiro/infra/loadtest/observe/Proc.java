package dev.ligeiro.infra.loadtest.observe;

import dev.ligeiro.infra.loadtest.system.CannotRunException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads the files of {@code /proc} (proc(5)). */
public final class Proc {

    private static final Path PROC = Path.of("/proc");
    /** USER_HZ is 100 on every Linux that a JVM runs on. */
    private static final long MICROS_PER_TICK = 10_000;

    private static final int STAT_USER = 1;
    private static final int STAT_IDLE = 4;
    private static final int STAT_IO_WAIT = 5;
    private static final int STAT_STEAL = 8;

    private Proc() {}

    /**
     * A process or a thread.
     *
     * @param name of the program or the thread, cut by the kernel
     * @param cpuMicros used in user and kernel mode since its start, in steps of 10 ms, without its children
     * @param startedMicros from the machine's start to its own
     */
    record Stat(String name, long parent, long cpuMicros, long startedMicros) {

        private static final int AFTER_NAME = 3;
        private static final int PARENT = 4 - AFTER_NAME;
        private static final int USER_TIME = 14 - AFTER_NAME;
        private static final int KERNEL_TIME = 15 - AFTER_NAME;
        private static final int START_TIME = 22 - AFTER_NAME;

        /** The name may contain spaces and parentheses: fields are counted from the last parenthesis. */
        static Stat parse(String stat) {
            int nameEnd = stat.lastIndexOf(')');
            String[] fields = stat.substring(nameEnd + 2).strip().split(" ");
            return new Stat(
                    stat.substring(stat.indexOf('(') + 1, nameEnd),
                    Long.parseLong(fields[PARENT]),
                    (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME])) * MICROS_PER_TICK,
                    Long.parseLong(fields[START_TIME]) * MICROS_PER_TICK);
        }
    }

    /**
     * CPU of the whole machine since its start.
     *
     * @param busyMicros programs, the kernel and its interrupts
     * @param stolenMicros taken by the host of a virtual machine
     */
    record MachineCpu(long busyMicros, long stolenMicros) {

        /** Guest time, the fields after the stolen time, is part of user time already. */
        static MachineCpu parse(String stat) {
            String[] fields = stat.lines().findFirst().orElseThrow().split(" +");
            long busy = 0;
            for (int i = STAT_USER; i < STAT_STEAL; i++) {
                busy += i == STAT_IDLE || i == STAT_IO_WAIT ? 0 : Long.parseLong(fields[i]);
            }
            return new MachineCpu(busy * MICROS_PER_TICK, Long.parseLong(fields[STAT_STEAL]) * MICROS_PER_TICK);
        }
    }

    /** @throws CannotRunException when there is no such process */
    static String read(long pid, String file) {
        return read(PROC.resolve(Long.toString(pid)).resolve(file));
    }

    static String read(String file) {
        return read(PROC.resolve(file));
    }

    static Stat stat(long pid) {
        return Stat.parse(read(pid, "stat"));
    }

    static MachineCpu machineCpu() {
        return MachineCpu.parse(read("stat"));
    }

    /** CPU that this process's thread with this name has used; 0 when there is none. */
    static long ownThreadMicros(String name) {
        try (Stream<Path> tasks = Files.list(PROC.resolve("self/task"))) {
            List<Path> all = tasks.toList();
            return all.stream()
                    .map(task -> Stat.parse(read(task.resolve("stat"))))
                    .filter(stat -> stat.name().startsWith(name))
                    .mapToLong(Stat::cpuMicros)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The time since the process's start, by the machine's own clock, in steps of 10 ms. */
    public static long uptimeMillis(long pid) {
        String uptime = read("uptime");
        double machineSeconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
        return Math.round(machineSeconds * 1000) - stat(pid).startedMicros() / 1000;
    }

    /** The number on the line that starts with {@code label}; 0 when there is none. */
    static long kilobytes(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).replace("kB", "").strip())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CannotRunException("a process of the run has ended: " + e, e);
        }
    }
}
