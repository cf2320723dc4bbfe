package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.processor.notice.OlderHours.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OlderHoursTest {

    private static final Instant NOW = Instant.parse("2026-11-26T12:20:00Z");
    private static final Instant TEN = Instant.parse("2026-11-26T10:00:00Z");
    private static final Instant NINE = TEN.minus(Duration.ofHours(1));
    private static final Instant END = NOW.minus(Duration.ofMinutes(30));
    private static final OlderHours NONE = new OlderHours(List.of());

    @Test
    void theLatestHourThatHasEndedComesFirst() {
        // the hour of 11:00 ends in the latest half hour
        List<Instant> hours = NONE.inOrder(NOW, END).toList();

        assertThat(hours).startsWith(TEN, NINE).hasSize(70).endsWith(Instant.parse("2026-11-23T13:00:00Z"));
        assertThat(NONE.inOrder(NOW, NOW.minus(Duration.ofHours(72)))).isEmpty();
    }

    @Test
    void anHourAtWhichNobodyHasLookedComesBeforeTheOthersAndThenTheLongestAgo() {
        OlderHours known = NONE;
        for (Instant hour : NONE.inOrder(NOW, END).skip(1).toList()) {
            known = known.with(new Look(hour, 1, hour.equals(NINE) ? NOW.minusSeconds(1) : NOW));
        }

        assertThat(known.inOrder(NOW, END)).startsWith(TEN, NINE);
    }

    @Test
    void anHourWithAnotherNumberOfPaymentsIsNotRead() {
        assertThat(NONE.isRead(TEN, 0)).isTrue();
        assertThat(NONE.isRead(TEN, 1)).isFalse();

        OlderHours known = NONE.with(new Look(TEN, 5, NOW));
        assertThat(known.isRead(TEN, 5)).isTrue();
        assertThat(known.isRead(TEN, 4)).isFalse();
        assertThat(known.isRead(TEN, 6)).isFalse();
    }

    @Test
    void hoursThatAreTooOldAreForgotten() {
        OlderHours known = NONE.with(new Look(TEN, 5, NOW))
                .with(new Look(NINE, 5, NOW.plus(Duration.ofHours(71)).minus(Duration.ofMinutes(20))));

        assertThat(known.hours()).extracting(Look::from).containsExactly(NINE);
    }
}
