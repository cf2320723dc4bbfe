package dev.ligeiro.infra.loadtest.observe;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a window has seen.
 *
 * @param completed transactions, or reads, whose last effect fell into it
 * @param cpuMicros used in it
 * @param memory at its end
 * @param allocatedBytes for each completed transaction, by the services
 */
public record Cost(
        double seconds,
        long completed,
        Map<Role, Long> cpuMicros,
        Map<Role, Memory> memory,
        Map<Role, Long> allocatedBytes,
        LagTrend lag) {

    public double rate() {
        return completed / seconds;
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
}
