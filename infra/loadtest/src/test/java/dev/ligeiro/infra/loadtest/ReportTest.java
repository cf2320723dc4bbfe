package dev.ligeiro.infra.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.MeasuredWindow.Cost;
import dev.ligeiro.infra.loadtest.Report.Latency;
import dev.ligeiro.infra.loadtest.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.Report.StepResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

    @Test
    void showsRateLatencyAndCost() {
        assertThat(report(List.of(), true, false).text())
                .contains("`infra/loadtest/run --scenario pay`, 2026-03-10T14:30:00Z, commit `abc`; 2 cores.")
                .contains("`pay`: audit passed")
                .contains(
                        "| pay | peak, closed | 2000 | 4.00, 5.00, 12.35, 20.00, 30.00 | 40.00, 60.00, 150.00, 300.00, 400.00 |")
                .contains(
                        "| 800: gateway 300 | gateway 200 | 12, 0.5 | 1.60, 0.10, 0.00 | 12.5, 4.25, 27.0, 9000 | yes |");
    }

    @Test
    void namesTheReasonsWhyAWindowDoesNotCount() {
        assertThat(report(List.of(), false, true).text())
                .contains("| no: disturbed, not sustained |")
                .doesNotContain("| yes");
    }

    @Test
    void showsNoFigureWhenTheAuditFailed() {
        assertThat(report(List.of("3 × in a response but not stored, such as: lt1"), true, false)
                        .text())
                .contains("AUDIT FAILED, no figure is valid")
                .contains("3 × in a response but not stored")
                .doesNotContain("2000")
                .doesNotContain("12.35");
    }

    @Test
    void theReportFileHasTheAudit() {
        Report report = report(List.of(), true, false);
        assertThat(report.valid()).isTrue();
        assertThat(report.json())
                .contains("\"commit `abc`; 2 cores\"", "\"created\" : 1000", "\"p99\" : 12.345", "\"gateway\" : 300.0");
    }

    private static Report report(List<String> faults, boolean sustained, boolean disturbed) {
        Audit.Result audit = new Audit.Result(1_000, 1_000, 1_000, 1_000, 1_000, faults);
        Latency responses = new Latency(1_000, 4, 5, 12.345, 20, 30);
        Map<Role, Double> cpu = Map.of(Role.GATEWAY, 300.0);
        Map<Role, Long> memory = Map.of(Role.GATEWAY, 204_800L);
        Cost cost = new Cost(
                20,
                20_000,
                2_000,
                800,
                cpu,
                1.6,
                0.1,
                0.0,
                memory,
                12,
                0.5,
                true,
                new MeasuredWindow.Work(12.5, 4.25, 27, 9_000));
        StepResult step = new StepResult(
                "peak, closed",
                sustained,
                disturbed,
                responses,
                Map.of(Call.PAID_CASHIN, responses),
                new Latency(1_000, 40, 60, 150, 300, 400),
                cost);
        ScenarioResult scenario = new ScenarioResult("pay", 35, false, 0, 64, List.of(step), audit);
        return new Report(
                "2026-03-10T14:30:00Z",
                "infra/loadtest/run --scenario pay",
                "commit `abc`; 2 cores",
                List.of(scenario));
    }
}
