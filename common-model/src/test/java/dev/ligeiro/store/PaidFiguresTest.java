package dev.ligeiro.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaidFiguresTest {

    /** The start of a day in São Paulo. */
    private static final Instant DAY = Instant.parse("2026-11-20T03:00:00Z");

    private static final Instant NEXT = Instant.parse("2026-11-21T03:00:00Z");
    private static final int UTC_DAY = BalanceFields.day(DAY);

    @Test
    void aDayOfTheZoneHasPartsOfTwoUtcDays() {
        Document first = day(Map.of("11", 1L, "12", 10L, "95", 100L), Map.of("2_5", 1L, "3_10", 10L, "23_10", 100L));
        Document second = day(Map.of("0", 1_000L, "11", 10_000L, "12", 7L), Map.of("0_20", 11_000L, "3_0", 7L));

        PaidFigures figures = requireNonNull(PaidFigures.of(Map.of(UTC_DAY, first, UTC_DAY + 1, second), DAY, NEXT));

        assertThat(figures.cashins()).isEqualTo(11_110);
        assertThat(figures.spans()).isEqualTo(Map.of(10, 110L, 20, 11_000L));
    }

    @Test
    void aDayWithoutABalanceHasNoPayments() {
        assertThat(PaidFigures.of(Map.of(), DAY, NEXT)).isEqualTo(PaidFigures.none());
    }

    @Test
    void aDayThatWasNotCountedFromItsBeginningIsUnknown() {
        Document begunByAnOldVersion = day(Map.of("12", 1L), Map.of());
        begunByAnOldVersion.remove(BalanceFields.COUNTED);

        assertThat(PaidFigures.of(Map.of(UTC_DAY, begunByAnOldVersion), DAY, NEXT))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 1_414, 1_415, 2_000, 2_500, 7_777, 60_000, 3_600_000, 86_400_000, 604_800_000})
    void theMedianIsExactTo19Percent(long millis) {
        PaidFigures one = PaidFigures.none();
        one.spans().put(BalanceFields.paySpan(Duration.ofMillis(millis)), 1L);

        assertThat(one.secondsToPay(0.5).orElseThrow()).isCloseTo(millis / 1e3, within19Percent(millis));
    }

    private static Offset<Double> within19Percent(long millis) {
        return within(millis / 1e3 * 0.1893);
    }

    @Test
    void theMedianIsTheMiddleOne() {
        PaidFigures three = PaidFigures.none();
        three.spans().putAll(Map.of(0, 1L, 4, 1L, 30, 1L));

        assertThat(three.secondsToPay(0.5)).contains(BalanceFields.paySpanSeconds(4));
        assertThat(PaidFigures.none().secondsToPay(0.5)).isEmpty();
    }

    @Test
    void ninetyNineOfAHundredWerePaidInTheirTime() {
        PaidFigures hundred = PaidFigures.none();
        hundred.spans().putAll(Map.of(4, 98L, 8, 1L, 30, 1L));

        assertThat(hundred.secondsToPay(0.98)).contains(BalanceFields.paySpanSeconds(4));
        assertThat(hundred.secondsToPay(0.99)).contains(BalanceFields.paySpanSeconds(8));
        assertThat(hundred.secondsToPay(1)).contains(BalanceFields.paySpanSeconds(30));
    }

    private static Document day(Map<String, Long> cashins, Map<String, Long> spans) {
        return new Document(BalanceFields.COUNTED, true)
                .append(
                        BalanceFields.PAID,
                        new Document(BalanceFields.CASHINS, new Document(Map.copyOf(cashins)))
                                .append(BalanceFields.PAY_SPANS, new Document(Map.copyOf(spans))));
    }
}
