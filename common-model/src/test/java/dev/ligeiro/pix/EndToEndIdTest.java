package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndToEndIdTest {

    private static final Instant AT = Instant.parse("2026-07-01T12:34:56Z");
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyyMMddHHmm").withZone(ZoneOffset.UTC);

    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

    @ParameterizedTest
    @CsvSource({
        "12345678, 2026-07-01T12:34:56Z,           E12345678202607011234",
        "AB345678, 2027-12-31T23:59:59.999Z,       EAB345678202712312359",
        "00000000, 2026-01-01T01:00:00-03:00,      E00000000202601010400",
        "00000000, 0001-02-03T00:00:00Z,           E00000000000102030000",
    })
    void startsWithTheParticipantAndTheMinuteInUtc(String ispb, OffsetDateTime at, String start) {
        String id = EndToEndId.generate(ispb, at.toInstant(), random).value();

        assertThat(id).hasSize(32).startsWith(start).matches("[0-9A-Za-z]{32}");
    }

    @Property(tries = 300)
    void everyGeneratedIdParses(@ForAll @LongRange(min = 0, max = 253_402_300_799L) long second, @ForAll long seed) {
        Instant at = Instant.ofEpochSecond(second);
        RandomGenerator seeded = new SplittableRandom(seed);
        EndToEndId id = EndToEndId.generate("12345678", at, seeded);

        assertThat(new EndToEndId(id.value())).isEqualTo(id);
        assertThat(id.value().substring(9, 21)).isEqualTo(MINUTE.format(at));
    }

    @Property(tries = 300)
    void aGeneratedIdNamesItsMillisecond(@ForAll @LongRange(min = 0, max = 253_402_300_799_999L) long millis) {
        Instant at = Instant.ofEpochMilli(millis);

        assertThat(EndToEndId.generate("12345678", at.plusNanos(999_999), random)
                        .generatedAt())
                .contains(at);
    }

    @ParameterizedTest
    @ValueSource(strings = {"E1234567820261301123400000000000", "E12345678202607011234zzz00000000"})
    void anIdOfAnotherParticipantMayNameNoTime(String id) {
        assertThat(new EndToEndId(id).generatedAt()).isEmpty();
    }

    @Test
    void idsOfOneMinuteDiffer() {
        Set<EndToEndId> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            ids.add(EndToEndId.generate("12345678", AT, random));
        }

        assertThat(ids).hasSize(10_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1234567", "123456789", "1234567-", "1234567٨"})
    void refusesAMalformedIspb(String ispb) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EndToEndId.generate(ispb, AT, random))
                .withMessageMatching("expected an (ISPB|end-to-end id).*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0001-01-01T00:00:00Z", "+10000-01-01T00:00:00Z"})
    void refusesAYearWithoutFourDigits(Instant at) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EndToEndId.generate("12345678", at, random))
                .withMessageStartingWith("expected an end-to-end id: E, ");
    }
}
