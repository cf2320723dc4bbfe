package dev.ligeiro.infra.loadtest.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a window has seen.
 *
 * @param completed transactions, or reads, whose last effect fell into it
 * @param cpuMicros used in it
 * @param machine what the whole machine used in it
 * @param memory at its end
 * @param allocatedBytes for each completed transaction, by the services
 */
public record Cost(
        double seconds,
        long completed,
        Map<Role, Long> cpuMicros,
        MachineCpu machine,
        Map<Role, Memory> memory,
        Map<Role, Long> allocatedBytes,
        LagTrend lag) {

    private static final double MICROS = TimeUnit.SECONDS.toMicros(1);

    public double rate() {
        return completed / seconds;
    }

    /** How many cores everything of the run kept busy, what measures too. */
    public double cores() {
        return ownMicros() / seconds / MICROS;
    }

    /** How many cores were busy with what is no process of the run: other programs, and interrupts that no process is billed for. */
    public double othersCores() {
        return Math.max(0, machine.busyMicros() - ownMicros()) / seconds / MICROS;
    }

    /** How many cores the host of a virtual machine took away. */
    public double stolenCores() {
        return machine.stolenMicros() / seconds / MICROS;
    }

    /** CPU of each completed transaction. */
    public Map<Role, Double> cpuMicrosEach() {
        Map<Role, Double> each = new EnumMap<>(Role.class);
        cpuMicros.forEach((role, micros) -> each.put(role, micros / (double) Math.max(1, completed)));
        return each;
    }

    /** CPU of each completed transaction, of all that is not generator or receiver. */
    public double systemCpuMicrosEach() {
        return cpuMicrosEach().entrySet().stream()
                .filter(entry -> entry.getKey().isSystem())
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private long ownMicros() {
        return cpuMicros.values().stream().mapToLong(Long::longValue).sum();
    }
}
