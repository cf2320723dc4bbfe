package dev.ligeiro.processor.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.processor.reconcile.ListProgress.Due;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ListProgressTest {

    private static final ReconcileProperties SETTINGS = Settings.of(ReconcileProperties.class);

    /** In São Paulo the day ends at 03:00. */
    @Test
    void eachHourIsReadAnHourAfterItsEndAndItsDayAgainSixHoursAfterIts() {
        ListProgress begun = ListProgress.at(Instant.parse("2026-11-27T00:40:00Z"));
        assertThat(begun.since()).isEqualTo("2026-11-27T01:00:00Z");

        assertThat(due(begun, "2026-11-27T01:59:59Z")).isEmpty();
        assertThat(due(begun, "2026-11-27T02:00:00Z")).containsExactly("00:00");
        assertThat(due(begun, "2026-11-27T04:59:59Z")).containsExactly("00:00", "01:00", "02:00");
        assertThat(due(begun, "2026-11-27T08:59:59Z"))
                .containsExactly("00:00", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00");
        assertThat(due(begun, "2026-11-27T09:00:00Z"))
                .endsWith("07:00", "00:00", "01:00", "02:00until2026-11-27T03:00:00Z");
    }

    @Test
    void theDaysOfAMonthWithoutAProcessorAreReadOneAfterTheOther() {
        ListProgress begun = ListProgress.at(Instant.parse("2026-11-27T00:40:00Z"));

        List<String> all = due(begun, "2026-12-27T00:00:00Z");

        assertThat(all.stream().filter(hour -> hour.contains("until"))).hasSize(30);
    }

    /** The hours that are due, each with the end of the day that it ends. */
    private static List<String> due(ListProgress begun, String now) {
        List<String> hours = new ArrayList<>();
        ListProgress progress = begun;
        Optional<Due> due = progress.due(Instant.parse(now), SETTINGS);
        while (due.isPresent()) {
            Instant hour = due.get().hour();
            Instant ends = due.get().endsDaysUntil();
            assertThat(hour).isBeforeOrEqualTo(Instant.parse(now).minus(Duration.ofHours(2)));
            hours.add(hour.toString().substring(11, 16) + (ends == null ? "" : "until" + ends));
            progress = due.get().after();
            due = progress.due(Instant.parse(now), SETTINGS);
        }
        return hours;
    }
}
