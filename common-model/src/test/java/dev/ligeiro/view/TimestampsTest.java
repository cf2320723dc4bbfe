package dev.ligeiro.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimestampsTest {

    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    /**
     * UTC; zones with and without summer time, with offsets of half and quarter hours, with a skipped day (Apia); all zones of
     * tzdata.
     */
    @Provide
    Arbitrary<ZoneId> zones() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                                "UTC",
                                "America/Sao_Paulo",
                                "America/New_York",
                                "Europe/Lisbon",
                                "Australia/Lord_Howe",
                                "Asia/Kathmandu",
                                "Pacific/Apia")
                        .map(ZoneId::of),
                Arbitraries.of(ZoneId.getAvailableZoneIds()).map(ZoneId::of));
    }

    /** One day inside the years 0 to 9999, so that the year has four digits in every zone. */
    @Provide
    Arbitrary<Instant> instants() {
        Instant first = Instant.parse("0000-01-02T00:00:00Z");
        Instant last = Instant.parse("9999-12-30T23:59:59Z");
        return Arbitraries.oneOf(
                        Arbitraries.longs().between(first.getEpochSecond(), last.getEpochSecond()),
                        Arbitraries.longs().between(0, 4_102_444_800L))
                .map(second -> Instant.ofEpochSecond(second, Math.floorMod(second, 1_000_000_000L)));
    }

    @Property
    void equalsTheOutputOfTheFormatterOfTheJdk(@ForAll("zones") ZoneId zone, @ForAll("instants") Instant at) {
        assertThat(new Timestamps(zone).format(at)).isEqualTo(FORM.format(at.atZone(zone)));
    }

    @ParameterizedTest(name = "{1} in {0} is {2}")
    @CsvSource({
        "America/Sao_Paulo, 2026-03-10T14:30:15.123Z, 2026-03-10 11:30:15",
        "America/Sao_Paulo, 2026-01-01T02:59:59.999Z, 2025-12-31 23:59:59",
        "America/Sao_Paulo, 2019-02-17T01:59:59Z, 2019-02-16 23:59:59", // the last hour of summer time
        "America/Sao_Paulo, 2019-02-17T02:00:00Z, 2019-02-16 23:00:00", // and the same hour once more
        "America/Sao_Paulo, 1969-12-31T23:59:59.5Z, 1969-12-31 20:59:59",
        "UTC, 2024-02-29T00:00:00Z, 2024-02-29 00:00:00",
        "Asia/Kathmandu, 2026-03-10T18:15:00Z, 2026-03-11 00:00:00",
    })
    void isTheLocalTimeTruncatedToTheSecond(ZoneId zone, Instant at, String expected) {
        assertThat(new Timestamps(zone).format(at)).isEqualTo(expected);
    }
}
