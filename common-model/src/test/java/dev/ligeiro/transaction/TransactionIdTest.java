package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionIdTest {

    /** The largest time of 48 bits, in the year 10889. */
    private static final long MILLI_MAX = (1L << 48) - 1;

    @Property
    void isAUuidOfVersion7WithTheTimeOfCreation(@ForAll @LongRange(max = MILLI_MAX) long epochMilli) {
        TransactionId id = TransactionId.at(Instant.ofEpochMilli(epochMilli));

        assertThat(id.value().version()).isEqualTo(7);
        assertThat(id.value().variant()).isEqualTo(2);
        assertThat(id.createdAt()).isEqualTo(Instant.ofEpochMilli(epochMilli));
        assertThat(id.toString()).matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }

    @Test
    void truncatesItsTimeToTheMillisecond() {
        assertThat(TransactionId.at(Instant.parse("2026-03-10T14:30:15.123999999Z"))
                        .createdAt())
                .isEqualTo(Instant.parse("2026-03-10T14:30:15.123Z"));
    }

    @Property
    void sortsByTimeInItsTextAndItsBytes(
            @ForAll @LongRange(max = MILLI_MAX - 1) long one, @ForAll @LongRange(max = MILLI_MAX - 1) long other) {
        TransactionId first = TransactionId.at(Instant.ofEpochMilli(Math.min(one, other)));
        TransactionId second = TransactionId.at(Instant.ofEpochMilli(Math.max(one, other) + (one == other ? 1 : 0)));

        assertThat(first).isLessThan(second);
        assertThat(first.toString()).isLessThan(second.toString());
    }

    @Property
    void noIdOfAMillisecondIsBelowItsLowest(@ForAll @LongRange(max = MILLI_MAX - 1) long epochMilli) {
        TransactionId lowest = new TransactionId(UuidV7.lowest(epochMilli));

        assertThat(lowest.createdAt()).isEqualTo(Instant.ofEpochMilli(epochMilli));
        assertThat(lowest).isLessThanOrEqualTo(TransactionId.at(Instant.ofEpochMilli(epochMilli)));
        assertThat(new TransactionId(UuidV7.lowest(epochMilli + 1)))
                .isGreaterThan(TransactionId.at(Instant.ofEpochMilli(epochMilli)));
    }

    @Test
    void idsOfOneMillisecondDifferOverThreads() throws InterruptedException {
        List<UUID> ids = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(number -> new Thread(() -> ids.addAll(IntStream.range(0, 10_000)
                        .mapToObj(id -> UuidV7.at(1_773_153_015_123L))
                        .toList())))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(ids).hasSize(80_000).doesNotHaveDuplicates();
    }

    @Property
    void idsAreReadInUpperAndLowerCase(@ForAll @LongRange(max = MILLI_MAX) long epochMilli) {
        TransactionId id = TransactionId.at(Instant.ofEpochMilli(epochMilli));

        assertThat(TransactionId.parse(id.toString())).contains(id);
        assertThat(TransactionId.parse(id.toString().toUpperCase(Locale.ROOT))).contains(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1-1-1-1-1",
                "019cd827d5537abc9def0123456789ab",
                "019cd827-d553-7abc-9def-0123456789a",
                "019cd827-d553-7abc-9def-0123456789abc",
                "019cd827-d553-7abc-9def-0123456789ag",
                "019cd827-d553-7abc-9def00123456789ab",
                "019cd827d-553-7abc-9def-0123456789ab",
                "+19cd827-d553-7abc-9def-0123456789ab",
                " 019cd827-d553-7abc-9def-0123456789a",
                "{019cd827-d553-7abc-9def-0123456789}",
                "０19cd827-d553-7abc-9def-0123456789ab", // a full-width digit
                "019cd827-d553-7abc-9def-0123456789ab\n",
            })
    void otherTextIsNoId(String text) {
        assertThat(TransactionId.parse(text)).isEmpty();
    }
}
