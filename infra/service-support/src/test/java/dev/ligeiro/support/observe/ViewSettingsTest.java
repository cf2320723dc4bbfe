package dev.ligeiro.support.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class ViewSettingsTest {

    /** The alert SettingsDiffer counts the series of all services. */
    @Test
    void otherSettingsAreAnotherSeries() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ZoneId saoPaulo = ZoneId.of("America/Sao_Paulo");

        new ViewSettings(saoPaulo, "https://pix.example.com").bindTo(meters);
        new ViewSettings(ZoneId.of("UTC"), "https://pix.example.com").bindTo(meters);
        new ViewSettings(saoPaulo, "http://localhost:8080").bindTo(meters);
        assertThat(meters.get("ligeiro.view.settings")
                        .tag("zone", "America/Sao_Paulo")
                        .gauges())
                .hasSize(2)
                .allMatch(gauge -> gauge.value() == 1);
    }
}
