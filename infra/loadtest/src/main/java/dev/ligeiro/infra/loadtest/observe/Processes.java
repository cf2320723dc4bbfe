package dev.ligeiro.infra.loadtest.observe;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.loadtest.receive.WebhookReceiver;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The pids of a run by role, and the CPU and memory of each role. */
public record Processes(Map<Role, List<Long>> pids) {

    /**
     * Memory of a role's processes in kB.
     *
     * @param rss resident; shared pages count in each process
     * @param pss resident; shared pages are divided among the processes that share them
     */
    public record Memory(long rss, long pss) {

        static Memory of(List<Long> pids) {
            return new Memory(sum(pids, "status", "VmRSS:"), sum(pids, "smaps_rollup", "Pss:"));
        }

        private static long sum(List<Long> pids, String file, String label) {
            return pids.stream()
                    .mapToLong(pid -> Proc.kilobytes(Proc.read(pid, file), label))
                    .sum();
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
        pids.put(
                Role.LAUNCHER,
                env.pids().gateway().stream()
                        .limit(1)
                        .map(pid -> Proc.stat(pid).parent())
                        .toList());
        pids.values().removeIf(List::isEmpty);
        return new Processes(pids);
    }

    /** CPU used since the start of each role's processes in µs; the generator is this process without the receiver's thread. */
    Map<Role, Long> cpuMicros() {
        Map<Role, Long> cpu = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> cpu.put(
                role, all.stream().mapToLong(pid -> Proc.stat(pid).cpuMicros()).sum()));
        long receiver = Proc.ownThreadMicros(WebhookReceiver.THREAD);
        cpu.put(Role.RECEIVER, receiver);
        cpu.put(Role.GENERATOR, Proc.stat(ProcessHandle.current().pid()).cpuMicros() - receiver);
        return cpu;
    }

    Map<Role, Memory> memory() {
        Map<Role, Memory> memory = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> memory.put(role, Memory.of(all)));
        return memory;
    }

    public boolean has(Role role) {
        return pids.containsKey(role);
    }
}
