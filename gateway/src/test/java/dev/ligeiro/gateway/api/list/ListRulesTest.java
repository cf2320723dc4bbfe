package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListRulesTest {
    private static final Term PENDING = new Filter.OfStatus(Status.PENDING);
    private static final Term WORD = Term.token(SearchTokens.nameWord("zoe"));
    private static final Term DOCUMENT = Term.token(SearchTokens.document("52998224725"));

    private static Filter filter(Term... terms) {
        return new Filter(Transactions.TENANT, List.of(terms));
    }

    @Test
    void theOrderOfTermsAndRepeatedOnesMakeNoDifference() {
        assertThat(filter(PENDING, WORD, DOCUMENT)).isEqualTo(filter(WORD, DOCUMENT, PENDING, WORD));
        assertThat(Term.anyToken(List.of(2L, 1L, 2L))).isEqualTo(Term.anyToken(List.of(1L, 2L)));
    }

    @Test
    void differentFiltersHaveDifferentKeys() {
        assertThat(List.of(
                                filter(),
                                filter(PENDING),
                                filter(WORD),
                                filter(PENDING, WORD),
                                filter(Term.anyToken(List.of(1L, 2L))),
                                filter(Term.token(1), Term.token(2)),
                                filter(Term.token(18)))
                        .stream()
                        .map(Filter::key))
                .doesNotHaveDuplicates();
    }

    @Test
    void keysHaveNoPersonalData() {
        assertThat(filter(DOCUMENT, WORD).key())
                .doesNotContain("52998224725")
                .doesNotContain("zoe")
                .matches("[0-9a-f]{1,16} [0-9a-f]{1,16}");
    }

    private static final long YEAR_10000 = 253_402_311_600_000L;

    private static TransactionId at(long milli) {
        return TransactionId.at(Instant.ofEpochMilli(milli));
    }

    @Property
    void containsTheTransactionsThatWereCreatedInIt(
            @ForAll @LongRange(max = YEAR_10000) long from,
            @ForAll @LongRange(max = YEAR_10000) long before,
            @ForAll @LongRange(max = YEAR_10000) long created) {
        boolean isIn = from <= created && created < before;

        assertThat(Span.ofMillis(from, before).contains(at(created))).isEqualTo(isIn);
        assertThat(Span.ALL.fromMillis(from).beforeMillis(before).contains(at(created)))
                .isEqualTo(isIn);
        assertThat(Span.ofMillis(from, before).isEmpty()).isEqualTo(from >= before);
    }

    @Property
    void isCutBelowAnId(@ForAll @LongRange(min = 1, max = YEAR_10000) long milli) {
        TransactionId id = at(milli);
        Span below = Span.ALL.below(id);

        assertThat(below.contains(id)).isFalse();
        assertThat(below.contains(at(milli - 1))).isTrue();
        assertThat(below.contains(at(milli + 1))).isFalse();
        assertThat(Span.ofMillis(milli - 1, milli).below(id).contains(at(milli - 1)))
                .isTrue();
    }

    @Test
    void allContainsEveryId() {
        assertThat(Span.ALL.contains(at(0))).isTrue();
        assertThat(Span.ALL.contains(new TransactionId(new UUID(-1, -2)))).isTrue();
        assertThat(Span.ALL.isEmpty()).isFalse();
    }

    @Test
    void aTimeBefore1970IsTheStart() {
        assertThat(Span.ofMillis(-5, 1).contains(at(0))).isTrue();
    }

    private static final long A_DAY = 20_000;
    private static final long MIDNIGHT = A_DAY * TimeBucket.MINUTES_OF_DAY;

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

    @Property(tries = 300)
    void timesWithMatchesAreJoined(
            @ForAll @Size(max = 12) List<@IntRange(max = 2) Integer> sizes,
            @ForAll @IntRange(max = 130) int from,
            @ForAll @IntRange(max = 130) int before) {
        Counts counts = counts(sizes);
        Span span = Span.ofMillis(from, before);
        List<Span> joined = counts.withMatches(span);

        for (int at = 0; at < 130; at++) {
            TransactionId id = TransactionId.at(Instant.ofEpochMilli(at));
            boolean matches = span.contains(id)
                    && counts.containing(id).filter(part -> part.count() > 0).isPresent();
            assertThat(joined.stream().filter(each -> each.contains(id))).hasSize(matches ? 1 : 0);
        }
        for (int i = 1; i < joined.size(); i++) {
            assertThat(joined.get(i - 1).from()).isGreaterThan(joined.get(i).before());
        }
    }

    /** Parts of 10 ms each, the newest first, down to 0. */
    private static Counts counts(List<Integer> sizes) {
        List<Counts.Part> parts = new ArrayList<>();
        long before = sizes.size() * 10L;
        for (int size : sizes) {
            parts.add(new Counts.Part(Span.ofMillis(before - 10, before), size));
            before -= 10;
        }
        return new Counts(parts);
    }

    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    /** Days with fractions, the newest span first: "7.5-8 3-4". */
    private static List<Span> spans(String text) {
        List<Span> spans = new ArrayList<>();
        for (String each : text.split(" ")) {
            String[] ends = each.split("-");
            spans.add(Span.ofMillis((long) (Double.parseDouble(ends[0]) * DAY_MILLIS), (long)
                    (Double.parseDouble(ends[1]) * DAY_MILLIS)));
        }
        return spans;
    }

    /** Today is day 20, and the tenant's first transaction is of day 10. */
    @ParameterizedTest(name = "{0}, days from {1}: {2}")
    @CsvSource({
        "15-16,               0,  15",
        "15-15.5,             0,  15",
        "15-16.1,             0,  16 15",
        "15.5-18,             0,  17 16 15",
        "15.5-17.5,           0,  17 16 15",
        "9-12,                0,  11 10",
        "0-9,                 0,  ''",
        "19-40,               0,  20 19",
        "21-40,               0,  ''",
        "16-18 12-13,         0,  17 16 12",
        "16.5-17 16.2-16.4,   0,  16",
        "16.5-17 15.2-16.4,   0,  16 15",
        "15-18,               15, 17 16 15",
        "15-18,               16, 17 16 without",
        "15-18,               18, without",
        "9-12,                10, 11 10",
        "0-9,                 99, ''",
        "21-40,               99, ''",
        "16-18 12-13,         17, 17 without",
        "16.5-17 16.2-16.4,   17, without",
        "17-18 12-13 11-12,   17, 17 without",
    })
    void daysOfSpansTheNewestFirst(String spans, long from, String expected) {
        assertThat(new TokenDays(from, 20)
                        .of(spans(spans), 10).stream()
                                .map(day -> day == -1 ? "without" : day.toString())
                                .collect(Collectors.joining(" ")))
                .isEqualTo(expected);
    }
}
