package dev.ligeiro.infra.loadtest.observe;

import dev.ligeiro.infra.loadtest.receive.WebhookReceiver;
import dev.ligeiro.infra.loadtest.system.DemoEnv;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The processes of a run by role, and what each role has used. */
public record Processes(Map<Role, List<Long>> pids) {

    /** As {@code demo.env} names them; the launcher is the parent of the gateway. */
    public static Processes of(DemoEnv env) {
        Map<Role, List<Long>> pids = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            List<Long> named = role.envName().isEmpty() ? List.of() : env.pids(role.envName());
            if (!named.isEmpty()) {
                pids.put(role, named);
            }
        }
        List<Long> gateways = pids.getOrDefault(Role.GATEWAY, List.of());
        if (!gateways.isEmpty()) {
            pids.put(Role.LAUNCHER, List.of(stat(gateways.get(0)).parent()));
        }
        return new Processes(pids);
    }

    /** CPU used so far by role in µs; the generator is all of this process but the receiver's thread. */
    public Map<Role, Long> cpuMicros() {
        Map<Role, Long> cpu = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> cpu.put(
                role, all.stream().mapToLong(pid -> stat(pid).cpuMicros()).sum()));
        long receiver = ProcFiles.statOfOwnThread(WebhookReceiver.THREAD)
                .map(stat -> ProcStat.parse(stat).cpuMicros())
                .orElse(0L);
        cpu.put(Role.RECEIVER, receiver);
        cpu.put(Role.GENERATOR, stat(ProcessHandle.current().pid()).cpuMicros() - receiver);
        return cpu;
    }

    public Map<Role, Memory> memory() {
        Map<Role, Memory> memory = new EnumMap<>(Role.class);
        pids.forEach((role, all) -> memory.put(role, Memory.of(all)));
        return memory;
    }

    public boolean has(Role role) {
        return pids.containsKey(role);
    }

    static ProcStat stat(long pid) {
        return ProcStat.parse(ProcFiles.read(pid, "stat"));
    }
}
