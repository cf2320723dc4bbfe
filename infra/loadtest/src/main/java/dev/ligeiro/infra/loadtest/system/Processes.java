package dev.ligeiro.infra.loadtest.system;

import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.loadtest.merchant.LoadReceiver;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The processes of the system under test by role, with their CPU, memory and allocation, and the CPU of the machine. */
public record Processes(Map<Role, List<Long>> pids) {

    private static final String ALLOCATED = "/actuator/metrics/jvm.gc.memory.allocated";

    /**
     * Memory of a role's processes in kB.
     *
     * @param rss resident; shared pages count in each process
     * @param pss resident; shared pages are divided among the processes that share them
     */
    public record Memory(long rss, long pss) {

        static Memory of(List<Long> pids) {
            List<String> maps = pids.stream()
                    .map(pid -> read(pid.toString(), "smaps_rollup"))
                    .toList();
            return new Memory(sum(maps, "Rss:"), sum(maps, "Pss:"));
        }

        private static long sum(List<String> maps, String label) {
            return maps.stream().mapToLong(text -> kilobytes(text, label)).sum();
        }
    }

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
    public static Processes of(DemoEnv env) {
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

    public boolean has(Role role) {
        return pids.containsKey(role);
    }

    /** CPU used since each role's start in µs, in steps of 10 ms; the generator is this process without the receiver's thread. */
    public Map<Role, Long> cpuMicros() {
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

    Map<Role, Memory> memory() {
        Map<Role, Memory> memory = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> memory.put(role, Memory.of(all)));
        return memory;
    }

    public Memory memoryOf(Role role) {
        return Memory.of(pids.getOrDefault(role, List.of()));
    }

    /**
     * Bytes that each service has allocated since its start, from its metrics; exact to one young generation.
     *
     * @param token of the management ports
     */
    Map<Role, Long> allocatedBytes(String token) {
        Map<Role, Long> allocated = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> {
            if (role.isService()) {
                allocated.put(
                        role,
                        all.stream()
                                .mapToLong(pid -> allocatedBytes(pid, token))
                                .sum());
            }
        });
        return allocated;
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

    /** The environment variables that a process was started with. */
    static Map<String, String> environment(long pid) {
        return Stream.of(read(Long.toString(pid), "environ").split("\0"))
                .filter(text -> !text.isEmpty())
                .map(variable -> variable.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (first, last) -> last));
    }

    /**
     * A file of {@code /proc} (proc(5)).
     *
     * @throws CannotRunException when there is no such process
     */
    public static String read(String... path) {
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

    /** The launcher gives each process its management port as an environment variable. 0 without a port or an answer. */
    private static long allocatedBytes(long pid, String token) {
        String port = environment(pid).get("MANAGEMENT_SERVER_PORT");
        if (port == null) {
            return 0;
        }
        try {
            JsonNode metric = new Api("http://127.0.0.1:" + port, token)
                    .get(ALLOCATED)
                    .expect(200)
                    .json();
            return (long) metric.required("measurements")
                    .required(0)
                    .required("value")
                    .asDouble();
        } catch (ApiException noAnswer) {
            return 0;
        }
    }
}
