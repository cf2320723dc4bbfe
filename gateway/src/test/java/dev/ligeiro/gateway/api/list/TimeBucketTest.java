package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.store.BucketVersionFields;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.bson.BsonInt64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeBucketTest {

    private static final long DAY = 20_000;
    private static final long MIDNIGHT = DAY * TimeBucket.MINUTES_OF_DAY;

    @ParameterizedTest
    @CsvSource({"-1, -1", "0, 0", "59999, 0", "60000, 1"})
    void aTimeIsInTheMinuteThatBeganLast(long millis, long minute) {
        assertThat(TimeBucket.minuteUntil(millis)).isEqualTo(minute);
    }

    @Property(tries = 300)
    void theVersionOfABucketChangesWithEachOfItsMinutes(
            @ForAll @LongRange(max = 1_439) long from,
            @ForAll @LongRange(min = 1, max = 1_440) long length,
            @ForAll @LongRange(max = 1_439) long changed) {
        TimeBucket bucket = new TimeBucket(MIDNIGHT + from, MIDNIGHT + Math.min(1_440, from + length));
        CountStore.DayVersions versions = CountStore.DayVersions.random();
        long before = versions.of(bucket);

        versions.stored().append(BucketVersionFields.minute((int) changed), new BsonInt64(7));

        boolean within = bucket.contains(new TimeBucket(MIDNIGHT + changed, MIDNIGHT + changed + 1));
        assertThat(versions.of(bucket) != before).isEqualTo(within);
    }
}
