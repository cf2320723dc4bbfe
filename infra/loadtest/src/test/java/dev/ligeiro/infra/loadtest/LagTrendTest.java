package dev.ligeiro.infra.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.MeasuredWindow.LagTrend;
import org.junit.jupiter.api.Test;

class LagTrendTest {

    private static final double RATE = 1_000;

    @Test
    void aLagThatStaysIsFlatHoweverRough() {
        LagTrend lag = lag(900, 300, 700, 1_200, 400, 800, 500, 700);

        assertThat(lag.max()).isEqualTo(1_200);
        assertThat(lag.isFlat(RATE)).isTrue();
    }

    @Test
    void aLagThatGrowsByAFewPercentOfTheRateIsNot() {
        LagTrend lag = lag(500, 550, 600, 650, 700, 750, 800);

        assertThat(lag.growth()).isEqualTo(50);
        assertThat(lag.isFlat(RATE)).isFalse();
    }

    @Test
    void aLagOfLessThanHalfASecondIsHarmless() {
        assertThat(lag(0, 100, 200, 300, 400).isFlat(RATE)).isTrue();
    }

    @Test
    void nothingSampledIsFlat() {
        assertThat(new LagTrend().isFlat(RATE)).isTrue();
    }

    private static LagTrend lag(long... records) {
        LagTrend lag = new LagTrend();
        for (int second = 0; second < records.length; second++) {
            lag.add(second, records[second]);
        }
        return lag;
    }
}
