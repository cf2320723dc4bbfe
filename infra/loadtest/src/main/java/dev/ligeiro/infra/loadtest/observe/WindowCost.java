package dev.ligeiro.infra.loadtest.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The rate of a window and its cost. CPU is in µs of one core for each finished call.
 *
 * @param finished calls whose last effect was seen in the window
 * @param rate finished calls a second
 * @param systemCpuMicros all processes but generator and receiver
 * @param cores busy with processes of the run, generator and receiver included
 * @param othersCores busy with other programs, and with interrupts, which the kernel counts for no process
 * @param stolenCores taken by the host of a virtual machine
 * @param memoryKilobytes at the window's end
 * @param allocatedBytes for each finished call
 * @param lagGrowth records a second
 * @param lagFlat whether the consumers kept up
 */
public record WindowCost(
        double seconds,
        long finished,
        double rate,
        double systemCpuMicros,
        Map<Role, Double> cpuMicros,
        double cores,
        double othersCores,
        double stolenCores,
        Map<Role, Processes.Memory> memoryKilobytes,
        Map<Role, Long> allocatedBytes,
        long lagMax,
        double lagGrowth,
        boolean lagFlat) {

    private static final double MICROS = TimeUnit.SECONDS.toMicros(1);

    /** @param cpu of the window, in µs */
    static WindowCost of(
            double seconds,
            long finished,
            Map<Role, Long> cpu,
            Proc.MachineCpu machine,
            Map<Role, Processes.Memory> memory,
            Map<Role, Long> allocatedBytes,
            LagTrend lag) {
        Map<Role, Double> cpuEach = new EnumMap<>(Role.class);
        cpu.forEach((role, micros) -> cpuEach.put(role, micros / (double) Math.max(1, finished)));
        double ownMicros = sum(cpu, Map.Entry::getValue);
        double rate = finished / seconds;
        return new WindowCost(
                seconds,
                finished,
                rate,
                sum(cpuEach, entry -> entry.getKey().isSystem() ? entry.getValue() : 0),
                cpuEach,
                ownMicros / seconds / MICROS,
                Math.max(0, machine.busyMicros() - ownMicros) / seconds / MICROS,
                machine.stolenMicros() / seconds / MICROS,
                memory,
                allocatedBytes,
                lag.max(),
                lag.growth(),
                lag.isFlat(rate));
    }

    private static <T> double sum(Map<Role, T> values, ToDoubleFunction<Map.Entry<Role, T>> value) {
        return values.entrySet().stream().mapToDouble(value).sum();
    }
}
