package dev.ligeiro.infra.loadtest.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void tellsRateLatencyAndCost() {
        assertThat(Table.of(Results.run(List.of())))
                .contains("audit passed")
                .containsPattern("peak +closed +2000 +4\\.00 +5\\.00 +12\\.35 +20\\.00 +30\\.00")
                .containsPattern("-> webhook +40\\.00 +60\\.00 +150 +300 +400")
                .contains("CPU µs each: 800 = gateway 300")
                .contains("RSS/PSS MB: gateway 200/100");
    }

    @Test
    void tellsNoFigureWhenTheAuditFailed() {
        assertThat(Table.of(Results.run(List.of("3 × answered but not stored, such as: lt1"))))
                .contains("AUDIT FAILED")
                .contains("3 × answered but not stored")
                .contains("no figure is valid")
                .doesNotContain("2000")
                .doesNotContain("12.35");
    }

    @Test
    void theMedianIsTheMiddleOne() {
        assertThat(Table.median(List.of(9L, 1L, 5L))).isEqualTo(5);
    }
}
