package dev.ligeiro.gateway.page.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {

    @Test
    void theHighestBarFillsTheBoxAndASmallOneIsSeen() {
        Plot plot = Plot.of("label", "", Arrays.asList(0L, null, 1L, 1_000_000L));

        assertThat(plot.bars())
                .containsExactly(
                        new Plot.Bar("159.4", "57.5", "56.3", "1.5"), new Plot.Bar("234.4", "1.0", "56.3", "58.0"));
    }

    @Test
    void withoutValuesThereIsNoBar() {
        assertThat(Plot.of("label", "", List.of(0L, 0L)).bars()).isEmpty();
    }
}
