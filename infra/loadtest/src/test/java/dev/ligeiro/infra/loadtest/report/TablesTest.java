package dev.ligeiro.infra.loadtest.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TablesTest {

    @Test
    void showsRateLatencyAndCost() {
        assertThat(Tables.of(Reports.report(List.of())))
                .contains("commit `abc`; 2 cores Some CPU")
                .contains("`pay`: audit passed")
                .containsPattern(
                        "pay +\\| peak, closed \\| response +\\| 2000 +\\| 4\\.00 +\\| 5\\.00 +\\| 12\\.35 +\\|"
                                + " 20\\.00")
                .containsPattern("last webhook +\\| +\\| 40\\.00 +\\| 60\\.00 +\\| 150 +\\| 300 +\\| 400")
                .containsPattern("CPU µs each +\\| 800 +\\| 300 +\\|")
                .containsPattern("RSS MB +\\| +\\| 200 +\\|");
    }

    @Test
    void namesTheReasonsWhyAWindowDoesNotCount() {
        assertThat(Tables.of(Reports.report(List.of(), Reports.step("given", 900.0, 700, false, true))))
                .contains("| no: disturbed, not sustained |")
                .doesNotContain("| yes");
    }

    @Test
    void showsNoFigureWhenTheAuditFailed() {
        assertThat(Tables.of(Reports.report(List.of("3 × in a response but not stored, such as: lt1"))))
                .contains("AUDIT FAILED, no figure is valid")
                .contains("3 × in a response but not stored")
                .doesNotContain("2000")
                .doesNotContain("12.35");
    }

    @Test
    void theReportFileReadsBack() {
        Report report = Reports.report(List.of());

        assertThat(Report.parse(report.json())).isEqualTo(report);
        assertThat(report.name()).isEqualTo("pay-jdk17");
    }

    @Test
    void theHeadlineIsTheBestRateThatCounts() {
        Report report = Reports.report(
                List.of(),
                Reports.step("peak", null, 4_000, false, false),
                Reports.step("50 %", 2_000.0, 2_000, true, false));

        assertThat(Tables.headline(List.of(report))).hasValueSatisfying(text -> assertThat(text)
                .contains("2026-03-10, commit `abc`", "announced 2,000 transactions a second", "2 cores")
                .doesNotContain("does not count"));
    }

    @Test
    void theHeadlineGivesTheReasonWhenNothingCounts() {
        Report report = Reports.report(List.of(), Reports.step("peak", null, 4_000, true, true));

        assertThat(Tables.headline(List.of(report)))
                .hasValueSatisfying(text -> assertThat(text).contains("4,000", "does not count (disturbed)"));
    }
}
