package dev.ligeiro.infra.launcher.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "up == 0; up;''",
                "max by (group) (lag_seconds{topic=\"a\"}) > 60; lag_seconds; group topic",
                "sum(rate(a_count{status=~\"5..\"}[5m])) / sum(rate(b_count[5m])) > 0.05; a_count b_count; status",
                "histogram_quantile(0.99, sum by (le, job) (rate(a_bucket[5m]))); a_bucket; job le",
                "absent(a) and on (job) b offset 5m unless c > 1e3; a b c; job",
                "a{x=\"max(b)\",y!=\"\"} * 100; a; x y"
            })
    void seriesAndLabelsAreFound(String text, String series, String labels) {
        Expression expression = new Expression(text);
        assertThat(String.join(" ", expression.series())).isEqualTo(series);
        assertThat(String.join(" ", expression.labels())).isEqualTo(labels);
    }
}
