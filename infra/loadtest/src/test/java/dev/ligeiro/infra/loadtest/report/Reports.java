package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.merchant.Call;
import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.system.Environment;
import dev.ligeiro.infra.loadtest.system.MeasuredWindow.Cost;
import dev.ligeiro.infra.loadtest.system.Role;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports to test with. */
final class Reports {

    private Reports() {}

    static Report report(List<String> faults, StepResult... steps) {
        Audit.Result audit = new Audit.Result(1_000, 1_000, 1_000, 1_000, 1_000, faults);
        return new Report(
                "2026-03-10T14:30:00Z",
                "infra/loadtest/run --scenario pay",
                faults.isEmpty(),
                new Environment(
                        2, "Some CPU", 8_192, "6.1", "Debian 17.0.15+6", "4.2.1", "6.0.5", "abc", "ext4", 0.2, 1.5),
                List.of(new ScenarioResult("pay", 35, false, 0, 64, List.of(steps), audit)),
                List.of());
    }

    static Report report(List<String> faults) {
        return report(
                faults,
                step("peak", null, 2_000, true, false),
                step("50 %", 1_000.0, 1_000, true, false),
                step("25 %", 500.0, 500, true, false));
    }

    static StepResult step(
            String label, @Nullable Double targetRate, double rate, boolean sustained, boolean disturbed) {
        Latency responses = new Latency(1_000, rate / 500, 5, 12.345, 20, 30);
        return new StepResult(
                label,
                targetRate,
                sustained,
                disturbed,
                responses,
                Map.of(Call.PAID_CASHIN, responses),
                new Latency(1_000, 40, 60, 150, 300, 400),
                new Cost(
                        20,
                        20_000,
                        rate,
                        800,
                        Map.of(Role.GATEWAY, 300.0),
                        1.6,
                        0.1,
                        0.0,
                        Map.of(Role.GATEWAY, 204_800L),
                        12,
                        0.5,
                        true));
    }
}
