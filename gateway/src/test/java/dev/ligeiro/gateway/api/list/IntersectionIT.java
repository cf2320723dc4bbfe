package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.http.limit.TestBoundedReads;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.TestLongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * One transaction a second, 13,000 in all. The term OLD applies to the older half, YOUNG to the younger half, and both to some in between
 * and to the very first and the very last one; EVERY_THIRD applies at all times. RARELY_THIRD
 * applies to every third one too, but to others, except for four.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IntersectionIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final Tenant TENANT = new Tenant(14);
    private static final long START = Instant.parse("2026-03-10T00:00:00Z").toEpochMilli();
    private static final int TRANSACTIONS = 13_000;
    private static final int OLD = 1;
    private static final int YOUNG = 2;
    private static final int EVERY_THIRD = 3;
    private static final int RARELY_THIRD = 4;

    private final String name = RunningGateway.newDatabase();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger runningMost = new AtomicInteger();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri("admin")))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    runningMost.accumulateAndGet(running.incrementAndGet(), Math::max);
                }

                @Override
                public void commandSucceeded(CommandSucceededEvent event) {
                    running.decrementAndGet();
                }
            })
            .build());
    private final LongReads reads = TestLongReads.over(client, name);
    private final TermStore terms =
            new TermStore(reads, TestBoundedReads.withoutRests(), () -> TestCountByKeys.allDays(Clock.systemUTC()));
    private final CountByKeys count = new CountByKeys(terms);
    private final List<TransactionId> ids = IntStream.range(0, TRANSACTIONS)
            .mapToObj(i -> TransactionId.at(Instant.ofEpochMilli(START + i * 1_000L)))
            .toList();

    IntersectionIT() {
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            int transaction = i;
            documents.add(new Document(
                            TransactionFields.ID,
                            TransactionCodec.binary(ids.get(i).value()))
                    .append(TransactionFields.TENANT, TENANT.key())
                    .append(
                            TransactionFields.SEARCH,
                            LongStream.rangeClosed(OLD, RARELY_THIRD)
                                    .filter(token -> applies(token, transaction))
                                    .map(token -> SearchTokens.stored(token, SearchTokens.day(ids.get(transaction), 0)))
                                    .boxed()
                                    .toList()));
        }
        block(reads.database().getCollection(CollectionNames.TRANSACTIONS).insertMany(documents));
    }

    @AfterAll
    void close() {
        Mono.from(client.getDatabase(name).drop()).block(WAIT_MAX);
        client.close();
    }

    private static <T> T block(Publisher<T> publisher) {
        return Mono.from(publisher).blockOptional(WAIT_MAX).orElseThrow();
    }

    private static boolean applies(long token, int transaction) {
        boolean atTheEnds = transaction == 0 || transaction == TRANSACTIONS - 1;
        boolean inBetween = transaction >= 6_400 && transaction < 6_600;
        return switch ((int) token) {
            case OLD -> transaction < 6_500 || atTheEnds || inBetween;
            case YOUNG -> transaction >= 6_500 || atTheEnds || inBetween;
            case EVERY_THIRD -> transaction % 3 == 0;
            case RARELY_THIRD -> transaction % 3 == 1 || transaction >= 600 && transaction < 610;
            default -> false;
        };
    }

    private static Filter filter(long... tokens) {
        return new Filter(TENANT, LongStream.of(tokens).mapToObj(Term::token).toList());
    }

    private List<TransactionId> expected(List<Span> spans, long... tokens) {
        List<TransactionId> matching = new ArrayList<>(IntStream.range(0, TRANSACTIONS)
                .filter(i -> LongStream.of(tokens).allMatch(token -> applies(token, i)))
                .mapToObj(ids::get)
                .filter(id -> spans.stream().anyMatch(span -> span.contains(id)))
                .toList());
        Collections.reverse(matching);
        return matching;
    }

    private static Span seconds(int from, int before) {
        return Span.ofMillis(START + from * 1_000L, START + before * 1_000L);
    }

    @Test
    void pagesHaveTheHighestCommonIds() {
        List<List<Span>> all = List.of(
                List.of(Span.ALL),
                List.of(seconds(6_450, 7_000)),
                List.of(seconds(12_000, 13_000), seconds(6_390, 6_410), seconds(7, 7), seconds(0, 3)));
        for (List<Span> spans : all) {
            for (long[] tokens : List.of(
                    new long[] {OLD, YOUNG},
                    new long[] {OLD, EVERY_THIRD},
                    new long[] {YOUNG, EVERY_THIRD},
                    new long[] {OLD, YOUNG, EVERY_THIRD},
                    new long[] {OLD, 99})) {
                List<TransactionId> expected = expected(spans, tokens);
                for (int skip : List.of(0, 1, 150, 700, 2_100)) {
                    assertThat(block(ReadMatches.ids(terms, filter(tokens), spans, skip, 101, Long.MAX_VALUE))
                                    .ids())
                            .isEqualTo(expected.stream().skip(skip).limit(101).toList());
                }
            }
        }
    }

    @Test
    void aSearchThatGivesUpIsContinued() {
        List<TransactionId> found = new ArrayList<>();
        Span rest = Span.ALL;
        int searches = 0;
        while (rest != null) {
            ReadMatches.FoundIds some = block(ReadMatches.ids(
                    terms, filter(EVERY_THIRD, RARELY_THIRD), List.of(rest), 0, 101, 2 * ReadMatches.CHUNK_MIN));
            found.addAll(some.ids());
            rest = some.reached() == null ? null : rest.below(some.reached());
            searches++;
        }

        assertThat(found).isEqualTo(expected(List.of(Span.ALL), EVERY_THIRD, RARELY_THIRD));
        assertThat(searches).isGreaterThan(4);
    }

    @Test
    void countsAreComplete() {
        for (Span span : List.of(Span.ALL, seconds(6_450, 7_000), seconds(7_000, 12_000))) {
            long matches = expected(List.of(span), OLD, YOUNG).size();

            assertThat(block(count.upTo(filter(OLD, YOUNG), span, Long.MAX_VALUE))
                            .matches())
                    .isEqualTo(matches);
        }
    }

    /** A session is for one read at a time. With the fault, the next ids were read while MongoDB still looked up those before them. */
    @Test
    void aCountOfSeveralTermsHasOneQueryAtATime() {
        runningMost.set(0);

        block(count.upTo(filter(OLD, YOUNG), Span.ALL, Long.MAX_VALUE));

        assertThat(runningMost.get()).isEqualTo(1);
    }

    /** In the whole time both terms have some 6,500 keys; in the last hour OLD has one. */
    @Test
    void theLimitIsOfTheRarestTermInTheSpan() {
        assertThat(count.upTo(filter(OLD, YOUNG), Span.ALL, 5_000).blockOptional(WAIT_MAX))
                .isEmpty();
        assertThat(block(count.upTo(filter(OLD, YOUNG), seconds(9_400, 13_000), 1)))
                .isEqualTo(new CountByKeys.Counted(1, 1));
    }
}
