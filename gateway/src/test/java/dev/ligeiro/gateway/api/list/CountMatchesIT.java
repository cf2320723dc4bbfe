package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ligeiro.gateway.api.list.Counts.Place;
import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Counting with one query for at most 20 keys, so that few transactions make a large merchant. */
class CountMatchesIT {

    private static final long KEYS_MAX = 20;
    private static final long SHOP = 1;
    private static final long ANA = 2;
    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private static final CountedDatabase DATABASE = new CountedDatabase();

    private final CountedDatabase database = DATABASE.reset();
    private final TestClock clock = TestClock.frozen();
    /** Of the clock. It is days behind MongoDB's. */
    private final Instant today = clock.instant().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(3));

    private final Filter all = new Filter(database.tenant, List.of());
    private final Filter paid = new Filter(database.tenant, List.of(new Filter.OfStatus(Status.PAID)));
    private final Random random = new Random();
    private final CountingGateway gateway = new CountingGateway(database, clock, KEYS_MAX, WAIT_MAX);
    private final CountingGateway other = new CountingGateway(database, clock, KEYS_MAX, WAIT_MAX);

    @BeforeEach
    void setTheClockBack() {
        clock.move(Duration.between(
                clock.instant(), today.plus(Duration.ofHours(15)).plusSeconds(1234)));
    }

    @AfterEach
    void close() {
        gateway.close();
        other.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void totalsAndRowsEqualABruteCountDuringAStorm() {
        database.insert(times(300), Status.PAID, SHOP);
        database.insert(times(100), Status.PENDING, SHOP, ANA);
        for (int round = 0; round < 25; round++) {
            storm();
            check(random.nextBoolean() ? gateway : other);
        }
    }

    private void storm() {
        switch (random.nextInt(8)) {
            case 0 ->
                database.insert(
                        List.of(clock.instant().minusMillis(random.nextInt(14_000)), clock.instant()),
                        Status.PENDING,
                        ANA);
            case 1 -> database.insertLate(times(1).get(0), random.nextBoolean() ? Status.PAID : Status.PENDING);
            case 2 -> clock.move(Duration.ofSeconds(random.nextInt(3_000)));
            case 3 -> {
                // MongoDB removes versions only 150 days after the last count that was cached with them
                database.clear(CollectionSetup.LIST_COUNTS);
                if (random.nextBoolean()) {
                    database.clear(CollectionNames.BUCKET_VERSIONS);
                }
            }
            case 4 -> ids(5).forEach(database::redact);
            default -> ids(5).forEach(id -> database.change(id, random.nextBoolean() ? Status.PAID : Status.REFUND));
        }
    }

    private void check(CountingGateway on) {
        Filter filter = List.of(
                        all,
                        paid,
                        new Filter(database.tenant, List.of(new Filter.OfStatus(Status.REFUND))),
                        new Filter(database.tenant, List.of(Term.token(SHOP))),
                        ofAmounts(random.nextInt(200)),
                        new Filter(
                                database.tenant,
                                List.of(
                                        Term.token(SHOP),
                                        new Filter.OfStatus(Status.PAID),
                                        new Filter.OfFields(null, new Amount(1), null))),
                        new Filter(database.tenant, List.of(Term.token(ANA), new Filter.OfStatus(Status.PAID))),
                        new Filter(database.tenant, List.of(Term.token(ANA), Term.token(SHOP))))
                .get(random.nextInt(8));
        Span span = random.nextInt(3) > 0 ? Span.ALL : Span.ofMillis(hour(-23), hour(12));
        List<TransactionId> newestFirst = database.matches(filter, span);

        Counts counts = on.of(filter, span);

        assertThat(counts.total()).isEqualTo(newestFirst.size());
        assertThat(counts.find(newestFirst.size())).isEmpty();
        if (!newestFirst.isEmpty()) {
            int row = random.nextInt(newestFirst.size());
            Place place = counts.find(row).orElseThrow();
            TransactionId end = place.span().before();
            long newer =
                    newestFirst.stream().filter(id -> id.compareTo(end) >= 0).count();
            assertThat(newer + place.skip()).isEqualTo(row);
            assertThat(place.skip()).isLessThanOrEqualTo(300);
            assertThat(on.older(filter, counts, newestFirst.get(row))).isEqualTo(newestFirst.size() - row - 1);
        }
    }

    @Test
    void oneChangeOfALargeDayCostsACountOfItsBucket() {
        // 20 in each of 10 hours, and 50 in 5 minutes of another one
        database.insert(spread(yesterday(0), Duration.ofMinutes(3), 200), Status.PAID);
        database.insert(spread(yesterday(20), Duration.ofSeconds(6), 50), Status.PAID);
        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(250);
        gateway.newCounts();
        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(250);
        int warm = gateway.newCounts();
        assertThat(warm).isEqualTo(1);

        database.change(database.firstSince(yesterday(3)), Status.REFUND);
        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(249);
        assertThat(gateway.newCounts()).isEqualTo(warm + 1);

        database.change(database.firstSince(yesterday(20)), Status.REFUND);
        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(248);
        assertThat(gateway.newCounts()).isEqualTo(warm + 1);
        assertThat(other.of(paid, Span.ALL).total()).isEqualTo(248);
        assertThat(other.newCounts()).isEqualTo(warm);
    }

    @Test
    void aChangeAtTheEndOfACountMakesItInvalid() {
        database.insert(spread(yesterday(0), Duration.ofHours(1), 20), Status.PAID);
        database.insert(spread(yesterday(-24), Duration.ofMinutes(1), 100), Status.PAID);
        List<TransactionId> changed = Collections.synchronizedList(ids(120));
        gateway.atEndOfCount = () -> database.change(changed.remove(0), Status.REFUND);
        gateway.of(paid, Span.ALL);
        gateway.atEndOfCount = () -> {};

        assertThat(other.of(paid, Span.ALL).total())
                .isEqualTo(database.matches(paid, Span.ALL).size());
        assertThat(changed).hasSizeLessThan(112);
    }

    @Test
    void countsOfRemovedVersionsAreNotUsed() {
        database.insert(spread(yesterday(0), Duration.ofMinutes(1), 100), Status.PAID);
        gateway.of(paid, Span.ALL);

        database.clear(CollectionNames.BUCKET_VERSIONS);
        ids(7).forEach(id -> database.change(id, Status.REFUND));

        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(93);
    }

    @Test
    void aRequestThatWaitsTooLongIsAnswered503AndTheCountingGoesOn() {
        database.insert(oneEachDay(30), Status.PAID);
        CountDownLatch hold = new CountDownLatch(1);
        try (CountingGateway impatient = new CountingGateway(database, clock, KEYS_MAX, Duration.ofSeconds(1))) {
            impatient.atEndOfCount = () -> {
                if (impatient.counts.get() >= 20) {
                    await(hold);
                }
            };

            Problem problem = catchThrowableOfType(Problem.class, () -> impatient.of(paid, Span.ALL));
            assertThat(problem.code().status().value()).isEqualTo(503);
            assertThat(problem.headers()).containsKey("Retry-After");
            assertThat(problem.detail()).containsPattern("\\b[1-9]\\d* of 31 days are counted");
            assertThat(impatient.running()).isEqualTo(1);

            hold.countDown();
            Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> impatient.running() == 0);
            impatient.newCounts();
            assertThat(impatient.of(paid, Span.ALL).total()).isEqualTo(30);
            assertThat(impatient.newCounts()).isEqualTo(1);
        }
    }

    @Test
    void aTenantHasASecondPlaceInTheBackgroundWhileMoreThanHalfOfThemAreFree() {
        Mono<Counts> never = Mono.never();
        assertThat(gateway.starts(1, Status.PAID, never)).isTrue();
        assertThat(gateway.starts(1, Status.EXPIRED, never)).isTrue();
        assertThat(gateway.starts(1, Status.CANCELED, never)).isFalse();
        assertThat(gateway.starts(2, Status.PAID, never)).isTrue();
        assertThat(gateway.starts(2, Status.EXPIRED, never)).isTrue();
        assertThat(gateway.starts(3, Status.PAID, never)).isTrue();
        assertThat(gateway.starts(3, Status.EXPIRED, never)).isFalse();
    }

    @Test
    void withoutAPlaceInTheBackgroundARequestIsAnswered503UntilOneIsFree() {
        database.insert(oneEachDay(30), Status.PAID);
        Sinks.Empty<Counts> hold = Sinks.empty();
        assertThat(IntStream.range(1_000, 1_010).filter(tenant -> gateway.starts(tenant, Status.PAID, hold.asMono())))
                .hasSize(8);

        Problem problem = catchThrowableOfType(Problem.class, () -> gateway.of(paid, Span.ALL));
        assertThat(problem.detail()).isEqualTo("Other lists are being counted");
        assertThat(problem.headers()).containsEntry("Retry-After", "2");

        hold.tryEmitError(new IllegalStateException("MongoDB is away"));
        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(30);
    }

    /** A new primary, or another shard, may have older data than the member that told the versions. */
    @Test
    void aCountThatIsCachedSeesAtLeastWhatWasStoredWhenItsVersionsWereRead() {
        database.insert(oneEachDay(3), Status.PAID);

        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(3);

        assertThat(database.all(CollectionSetup.LIST_COUNTS)).isNotEmpty();
        // those of the young part are not cached
        assertThat(gateway.countedAfter)
                .filteredOn(Optional::isPresent)
                .hasSizeGreaterThanOrEqualTo(
                        database.all(CollectionSetup.LIST_COUNTS).size());
    }

    /** MongoDB carried out the insert after a stall, when its minute was counted already. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionThatIsInsertedAfterItsMinuteWasCountedIsCountedOnceItIsAccepted(boolean withStatus) {
        Filter filter = withStatus ? paid : all;
        database.insert(spread(yesterday(0), Duration.ofMinutes(1), 100), Status.PAID);
        assertThat(gateway.of(filter, Span.ALL).total()).isEqualTo(100);
        assertThat(other.of(filter, Span.ALL).total()).isEqualTo(100);

        database.insertLate(yesterday(1), Status.PAID);

        assertThat(gateway.of(filter, Span.ALL).total()).isEqualTo(101);
        gateway.newCounts();
        assertThat(gateway.of(filter, Span.ALL).total()).isEqualTo(101);
        // of the young part
        assertThat(gateway.newCounts()).isEqualTo(1);
        assertThat(other.of(filter, Span.ALL).total()).isEqualTo(101);
    }

    @Test
    void aCountOfFewDaysThatTakesLongGoesOnInTheBackground() {
        database.insert(spread(yesterday(0), Duration.ofMinutes(1), 100), Status.PAID);
        gateway.atEndOfCount = () -> {
            if (gateway.counts.get() == 2) {
                Awaitility.await().until(() -> gateway.running() == 1);
            }
        };

        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(100);
        assertThat(gateway.counts.get()).isGreaterThan(2);
    }

    @Test
    void anotherGatewayGoesOnFromWhatIsCached() {
        database.insert(oneEachDay(60), Status.PAID);
        gateway.atEndOfCount = () -> {
            if (gateway.counts.get() == 40) {
                gateway.close();
            }
        };
        assertThat(catchThrowableOfType(RuntimeException.class, () -> gateway.of(paid, Span.ALL)))
                .isNotNull();

        assertThat(other.of(paid, Span.ALL).total()).isEqualTo(60);
        assertThat(other.newCounts()).isBetween(20, 35);
    }

    @Test
    void aListOver100DaysTakesThreeQueriesOnceItsCountsAreCached() {
        database.insert(oneEachDay(100), Status.PAID);
        gateway.of(paid, Span.ALL);
        gateway.queries.set(0);

        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(100);
        // the days, their versions, the young part
        assertThat(gateway.queries.get()).isEqualTo(3);
    }

    /** So a page of rare matches does not read all keys of their buckets. */
    @Test
    void aRareMatchAmongManyKeysIsInAPartOfOneMinute() {
        List<Instant> many = spread(yesterday(3), Duration.ofMinutes(1), 30);
        database.insert(many, Status.PAID, SHOP);
        database.insert(many, Status.PAID, ANA);
        Instant rare = yesterday(3).plus(Duration.ofMinutes(17));
        database.insert(List.of(rare, rare.plusSeconds(20)), Status.PAID, SHOP, ANA);
        Filter both = new Filter(database.tenant, List.of(Term.token(SHOP), Term.token(ANA)));
        Span minute = Span.ofMillis(rare.toEpochMilli(), rare.toEpochMilli() + 60_000);

        assertThat(gateway.of(both, Span.ALL).total()).isEqualTo(2);
        assertThat(gateway.of(both, Span.ALL).withMatches(Span.ALL)).containsExactly(minute);
        assertThat(other.of(both, Span.ALL).withMatches(Span.ALL)).containsExactly(minute);

        database.change(database.firstSince(yesterday(3)), Status.REFUND);
        assertThat(other.of(both, Span.ALL).total()).isEqualTo(2);
    }

    @Test
    void aYoungPartWithManyKeysBecomesABucket() {
        database.insert(spread(today, Duration.ofMinutes(10), 60), Status.PAID);
        assertThat(gateway.of(all, Span.ALL).total()).isEqualTo(60);
        gateway.newCounts();

        assertThat(gateway.of(all, Span.ALL).total()).isEqualTo(60);
        assertThat(gateway.newCounts()).isEqualTo(1);
        clock.move(Duration.ofMinutes(10));
        database.insert(List.of(clock.instant()), Status.PAID);
        assertThat(gateway.of(all, Span.ALL).total()).isEqualTo(61);
        assertThat(gateway.newCounts()).isEqualTo(1);
        clock.move(Duration.ofDays(1));
        assertThat(gateway.of(all, Span.ALL).total()).isEqualTo(61);
    }

    @Test
    void rangesThatCutABucketAreExactAndBothAreCached() {
        database.insert(spread(yesterday(0), Duration.ofHours(1), 20), Status.PAID);
        Span localDay = Span.ofMillis(yesterday(3).toEpochMilli(), yesterday(27).toEpochMilli());
        for (int i = 0; i < 2; i++) {
            assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(20);
            assertThat(gateway.of(paid, localDay).total()).isEqualTo(17);
        }
        gateway.newCounts();

        assertThat(gateway.of(paid, Span.ALL).total()).isEqualTo(20);
        assertThat(gateway.of(paid, localDay).total()).isEqualTo(17);
        // of the young parts
        assertThat(gateway.newCounts()).isEqualTo(2);
    }

    @Test
    void aTransactionThatIsInserted13SecondsLateIsCounted() {
        clock.move(Duration.ofSeconds(31));
        database.insert(spread(clock.instant().minusSeconds(1_000), Duration.ofSeconds(10), 100), Status.PAID);
        assertThat(gateway.of(all, Span.ALL).total()).isEqualTo(100);

        // in the minute that was over by 5 s
        database.insert(List.of(clock.instant().minusSeconds(13)), Status.PAID);

        assertThat(gateway.of(all, Span.ALL).total()).isEqualTo(101);
        assertThat(database.all(CollectionSetup.LIST_COUNTS)).isNotEmpty();
    }

    @Test
    void countsInUseAreNotRemoved() {
        database.insert(oneEachDay(3), Status.PAID);
        gateway.of(all, Span.ALL);

        clock.move(Duration.ofDays(2));
        gateway.of(all, Span.ofMillis(0, hour(0)));

        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> database.all(CollectionSetup.LIST_COUNTS).stream()
                                .filter(day -> !day.getDate(CollectionSetup.LIST_COUNTS_USED_AT)
                                        .toInstant()
                                        .isBefore(clock.instant()))
                                .count()
                        >= 3);
    }

    /** Without new versions, all cached counts of days that no longer change would become invalid 180 days after their first use. */
    @Test
    void versionsInUseAreRenewedAndTheirCountsStayValid() {
        database.insert(oneEachDay(3), Status.PAID);
        gateway.of(paid, Span.ALL);
        gateway.newCounts();

        clock.move(Duration.ofDays(31));
        gateway.of(paid, Span.ofMillis(0, hour(0)));

        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> database.all(CollectionNames.BUCKET_VERSIONS).stream()
                                .filter(day -> !day.getDate(BucketVersionFields.AT)
                                        .toInstant()
                                        .isBefore(clock.instant()))
                                .count()
                        >= 3);
        gateway.newCounts();
        assertThat(gateway.of(paid, Span.ofMillis(0, hour(0))).total()).isEqualTo(3);
        assertThat(gateway.newCounts()).isLessThanOrEqualTo(1);
    }

    @Test
    void nothingIsCachedOfATimeThatIsNotOverByTheClockOfMongodb() {
        clock.move(Duration.ofDays(30));
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
        database.insert(List.of(tomorrow), Status.PAID);
        assertThat(gateway.of(all, Span.ALL).total()).isEqualTo(1);

        database.insert(List.of(tomorrow.plusMillis(1)), Status.PAID);

        assertThat(other.of(all, Span.ALL).total()).isEqualTo(2);
        assertThat(database.all(CollectionSetup.LIST_COUNTS)).isEmpty();
    }

    private Filter ofAmounts(long minCents) {
        return new Filter(database.tenant, List.of(new Filter.OfFields(null, new Amount(minCents), null)));
    }

    @Test
    void manyFiltersWithAmountsCacheNoMoreThanSome() {
        database.insert(spread(today.minus(Duration.ofHours(20)), Duration.ofMinutes(1), 30), Status.PAID);

        for (int cents = 0; cents < 2 * CountedDatabase.CENTS; cents++) {
            assertThat(gateway.of(ofAmounts(cents), Span.ALL).total())
                    .isEqualTo(cents <= CountedDatabase.CENTS ? 30 : 0);
        }

        int cached = database.all(CollectionSetup.LIST_COUNTS).size();
        gateway.newCounts();
        assertThat(gateway.of(ofAmounts(2 * CountedDatabase.CENTS - 1), Span.ALL)
                        .total())
                .isZero();
        // of the young part
        assertThat(gateway.newCounts()).isEqualTo(1);
        assertThat(cached).isBetween(30, 2 * 64);
    }

    @Test
    void nothingIsCachedOfFewMatches() {
        database.insert(oneEachDay(10), Status.PAID);

        assertThat(gateway.countMatches(paid, Span.ALL).total()).isEqualTo(10);

        assertThat(database.all(CollectionSetup.LIST_COUNTS)).isEmpty();
        assertThat(database.all(CollectionNames.BUCKET_VERSIONS)).isEmpty();
    }

    /** Within two days, many of them in the same minutes. */
    private List<Instant> times(int number) {
        return random.ints(number, 0, 100)
                .mapToObj(i -> today.minus(Duration.ofDays(i % 2))
                        .plus(Duration.ofHours(i % 3))
                        .plusSeconds(i % 3 == 0 ? random.nextInt(100) : random.nextInt(7_000)))
                .toList();
    }

    private static List<Instant> spread(Instant from, Duration distance, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> from.plus(distance.multipliedBy(i)))
                .toList();
    }

    private List<Instant> oneEachDay(int days) {
        return spread(today.minus(Duration.ofDays(days)), Duration.ofDays(1), days);
    }

    private Instant yesterday(int hour) {
        return today.minus(Duration.ofDays(1)).plus(Duration.ofHours(hour));
    }

    private long hour(int ofToday) {
        return today.plus(Duration.ofHours(ofToday)).toEpochMilli();
    }

    private List<TransactionId> ids(int number) {
        List<TransactionId> ids = new ArrayList<>(database.known.keySet());
        Collections.shuffle(ids, random);
        return new ArrayList<>(ids.subList(0, number));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
