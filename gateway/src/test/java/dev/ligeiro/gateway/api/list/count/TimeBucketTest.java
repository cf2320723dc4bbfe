package dev.ligeiro.gateway.api.list.count;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.store.BucketVersionFields;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.bson.BsonInt64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeBucketTest {

    private static final long DAY = 20_000;
    private static final long MIDNIGHT = DAY * TimeBucket.MINUTES_OF_DAY;

    @Property(tries = 300)
    void daysCoverARangeExactlyOnce(
            @ForAll @LongRange(max = 5_000) long from, @ForAll @LongRange(max = 5_000) long length) {
        long end = MIDNIGHT + from + length;

        for (TimeBucket part : TimeBucket.days(MIDNIGHT + from, end)) {
            assertThat(part.before()).isEqualTo(end);
            assertThat(TimeBucket.day(part.epochDay()).contains(part)).isTrue();
            end = part.from();
        }
        assertThat(end).isEqualTo(MIDNIGHT + from);
    }

    @ParameterizedTest
    @CsvSource({"-1, -1, 0", "0, 0, 0", "1, 0, 1", "60000, 1, 1", "60001, 1, 2", "119999, 1, 2"})
    void timesAreBetweenTwoMinutes(long millis, long until, long from) {
        assertThat(TimeBucket.minuteUntil(millis)).isEqualTo(until);
        assertThat(TimeBucket.minuteFrom(millis)).isEqualTo(from);
    }

    @Property(tries = 300)
    void theVersionOfABucketChangesWithEachOfItsMinutes(
            @ForAll @LongRange(max = 1_439) long from,
            @ForAll @LongRange(min = 1, max = 1_440) long length,
            @ForAll @LongRange(max = 1_439) long changed) {
        TimeBucket bucket = new TimeBucket(MIDNIGHT + from, MIDNIGHT + Math.min(1_440, from + length));
        DayVersions versions = DayVersions.random();
        long before = versions.of(bucket);

        versions.stored().append(BucketVersionFields.minute((int) changed), new BsonInt64(7));

        boolean within = bucket.contains(new TimeBucket(MIDNIGHT + changed, MIDNIGHT + changed + 1));
        assertThat(versions.of(bucket) != before).isEqualTo(within);
    }

    @ParameterizedTest
    @CsvSource({"0, 1440, true", "0, 100, true", "100, 200, false", "50, 100, false", "200, 1440, true"})
    void countsCoverAPartWithoutGaps(long from, long before, boolean covered) {
        DayCounts counts =
                new DayCounts(DAY, 1, List.of(bucket(0, 100), bucket(100, 200), bucket(200, 300), bucket(300, 1_440)));
        if (!covered) {
            counts = new DayCounts(DAY, 1, List.of(bucket(0, 100), bucket(200, 1_440)));
        }

        assertThat(counts.cover(new TimeBucket(MIDNIGHT + from, MIDNIGHT + before)))
                .isEqualTo(covered);
    }

    private static DayCounts.BucketCount bucket(long from, long before) {
        return new DayCounts.BucketCount(new TimeBucket(MIDNIGHT + from, MIDNIGHT + before), 1, 1);
    }
}
