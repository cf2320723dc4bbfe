package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.observe.Memory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured window, ready to be told: names as words, times in milliseconds, CPU in microseconds of one core.
 *
 * @param openLoop by a schedule, latency from the intended start; else closed: the next call when one ends
 * @param targetRate of the schedule, null in a closed loop
 * @param rate completed a second
 * @param sustained whether the schedule was kept, and the consumers' lag was flat
 * @param answers from due to answered, all calls together
 * @param answersByCall the same by kind of call
 * @param webhook from due to the arrival of the last webhook, null without webhooks
 * @param systemCpuMicros of each completed transaction: all processes but generator and receiver
 * @param cpuMicros the same by process
 * @param cpuCores how many cores everything, the generator too, kept busy
 * @param othersCores busy with what is no process of the run
 * @param stolenCores taken by the host of a virtual machine
 * @param disturbed whether others took so much that the figures do not count
 * @param allocatedBytes of each completed transaction, by service
 */
public record StepResult(
        String label,
        boolean openLoop,
        @Nullable Double targetRate,
        double seconds,
        double rate,
        boolean sustained,
        Latency answers,
        Map<String, Latency> answersByCall,
        @Nullable Latency webhook,
        double systemCpuMicros,
        Map<String, Double> cpuMicros,
        double cpuCores,
        double othersCores,
        double stolenCores,
        boolean disturbed,
        Map<String, Memory> memoryKilobytes,
        Map<String, Long> allocatedBytes,
        long lagMax,
        double lagGrowth) {}
