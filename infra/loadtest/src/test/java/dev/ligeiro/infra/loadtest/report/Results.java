package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.audit.AuditResult;
import dev.ligeiro.infra.loadtest.observe.FsyncProbe;
import dev.ligeiro.infra.loadtest.observe.Machine;
import dev.ligeiro.infra.loadtest.observe.Memory;
import dev.ligeiro.infra.loadtest.observe.Versions;
import java.util.List;
import java.util.Map;

/** Results to test reports with. */
final class Results {

    private Results() {}

    static RunResult run(List<String> faults) {
        AuditResult audit = new AuditResult(1_000, 1_000, 1_000, 1_000, 1_000, faults);
        List<StepResult> steps =
                List.of(step("peak", false, 2_000), step("50 %", true, 1_000), step("25 %", true, 500));
        return new RunResult(
                "2026-03-10T14:30:00Z",
                "infra/loadtest/run --scenario pay",
                faults.isEmpty(),
                new Machine(2, "Some CPU", 8_192, "6.1"),
                new Versions("17", "4.2.1", "6.0.5", "abc"),
                new FsyncProbe("ext4", 1_000, 0.2, 1.5),
                List.of(new ScenarioResult("pay", 35, false, 0, 64, steps, audit)),
                List.of());
    }

    private static StepResult step(String label, boolean open, double rate) {
        Latency answers = new Latency(1_000, rate / 500, 5, 12.345, 20, 30);
        return new StepResult(
                label,
                open,
                open ? rate : null,
                20,
                rate,
                true,
                answers,
                Map.of("paid-cashin", answers),
                new Latency(1_000, 40, 60, 150, 300, 400),
                800,
                Map.of("gateway", 300.0),
                1.6,
                0.1,
                0.0,
                false,
                Map.of("gateway", new Memory(204_800, 102_400)),
                Map.of("gateway", 45_000L),
                12,
                0.5);
    }
}
