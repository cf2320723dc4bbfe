package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.DemoEnv;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The processes of the system under test by role, with their CPU and memory, and the CPU of the machine. */
record Processes(Map<Role, List<Long>> pids) {

    /**
     * CPU of the whole machine since its start.
     *
     * @param busyMicros programs, the kernel and its interrupts
     * @param stolenMicros taken by the host of a virtual machine
     */
    record Machine(long busyMicros, long stolenMicros) {

        /** USER_HZ is 100 on every Linux that a JVM runs on. */
        private static final long MICROS_PER_TICK = 10_000;

        private static final int IDLE = 4;
        private static final int IO_WAIT = 5;
        private static final int STEAL = 8;

        static Machine read() {
            return parse(Processes.read("stat"));
        }

        /** Guest time, the fields after the stolen time, is part of user time already. */
        static Machine parse(String stat) {
            String[] fields = stat.lines().findFirst().orElseThrow().split(" +");
            long busy = 0;
            for (int i = 1; i < STEAL; i++) {
                busy += i == IDLE || i == IO_WAIT ? 0 : Long.parseLong(fields[i]);
            }
            return new Machine(busy * MICROS_PER_TICK, Long.parseLong(fields[STEAL]) * MICROS_PER_TICK);
        }
    }

    /** The processes of {@code demo.env}; the launcher is the parent of the gateway. */
    static Processes of(DemoEnv env) {
        Map<Role, List<Long>> pids = new EnumMap<>(Role.class);
        pids.put(Role.GATEWAY, env.pids().gateway());
        pids.put(Role.PROCESSOR, env.pids().processor());
        pids.put(Role.WEBHOOK_DISPATCHER, env.pids().webhookDispatcher());
        pids.put(Role.MONGOD, env.pids().mongod());
        pids.put(Role.KAFKA, env.pids().kafka());
        Optional<ProcessHandle> launcher = env.pids().gateway().stream()
                .findFirst()
                .flatMap(pid -> process(pid).parent());
        pids.put(Role.LAUNCHER, launcher.stream().map(ProcessHandle::pid).toList());
        pids.values().removeIf(List::isEmpty);
        return new Processes(pids);
    }

    /** The folder of the JDK that the gateway runs on. */
    Path javaHome() {
        try {
            long gateway = Objects.requireNonNull(pids.get(Role.GATEWAY)).get(0);
            Path java = Path.of("/proc", Long.toString(gateway), "exe").toRealPath();
            return java.resolve("../..").normalize();
        } catch (IOException e) {
            throw new CannotRunException("the gateway has ended: " + e, e);
        }
    }

    boolean has(Role role) {
        return pids.containsKey(role);
    }

    /** CPU used since each role's start in µs, in steps of 10 ms; the generator is this process without the receiver's thread. */
    Map<Role, Long> cpuMicros() {
        Map<Role, Long> cpu = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> cpu.put(role, cpuMicros(all)));
        long receiver = ownThreadMicros(LoadReceiver.THREAD);
        cpu.put(Role.RECEIVER, receiver);
        cpu.put(Role.GENERATOR, cpuMicros(ProcessHandle.current()) - receiver);
        return cpu;
    }

    private static long cpuMicros(List<Long> pids) {
        return pids.stream().mapToLong(pid -> cpuMicros(process(pid))).sum();
    }

    /** Resident memory of each role's processes in kB; shared pages count in each process. */
    Map<Role, Long> rssKilobytes() {
        Map<Role, Long> memory = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> memory.put(
                role,
                all.stream()
                        .mapToLong(pid -> number(read(pid.toString(), "status"), "VmRSS:"))
                        .sum()));
        return memory;
    }

    /** How often a thread that is still alive gave its core to another one, by itself or not, in all processes of the system. */
    long threadSwitches() {
        return pids.values().stream()
                .flatMap(List::stream)
                .mapToLong(Processes::threadSwitches)
                .sum();
    }

    private static long threadSwitches(long pid) {
        long switches = 0;
        for (String thread : Objects.requireNonNullElse(new File("/proc/" + pid + "/task").list(), new String[0])) {
            try {
                String status = Files.readString(Path.of("/proc", Long.toString(pid), "task", thread, "status"));
                switches += number(status, "voluntary_ctxt_switches:") + number(status, "nonvoluntary_ctxt_switches:");
            } catch (IOException e) {
                // the thread has ended since it was listed
            }
        }
        return switches;
    }

    /** The number on the line that starts with {@code label}; 0 when there is none. */
    private static long number(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).replace("kB", "").strip())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }

    /**
     * A file of {@code /proc} (proc(5)).
     *
     * @throws CannotRunException when there is no such process
     */
    private static String read(String... path) {
        try {
            return Files.readString(Path.of("/proc", path));
        } catch (IOException e) {
            throw new CannotRunException("a process of the run has ended: " + e, e);
        }
    }

    private static ProcessHandle process(long pid) {
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new CannotRunException("process " + pid + " of the run has ended"));
    }

    private static long cpuMicros(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1000;
    }

    private static long ownThreadMicros(String name) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(thread -> thread.getThreadName().startsWith(name))
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()) / 1000)
                .sum();
    }
}
