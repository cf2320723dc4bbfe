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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/**
 * Five years with four transactions a day, the last one yesterday. RARE applies to one in a hundred days, OFTEN to two of three transactions,
 * ONCE_OFTEN to all of the first three years and the very last one, LATE to the last two years and 40 before, THIRD to those without OFTEN and
 * ten others. The tokens of the first {@value #DAYS_WITHOUT} days have no day.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparseYearsIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final Tenant TENANT = new Tenant(14);
    private static final int DAYS = 1_826;
    private static final int DAYS_WITHOUT = 800;
    private static final int A_DAY = 4;
    private static final long TODAY = TokenDays.day(System.currentTimeMillis());
    private static final long FROM = TODAY - DAYS + DAYS_WITHOUT;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final int RARE = 1;
    private static final int OFTEN = 2;
    private static final int ONCE_OFTEN = 3;
    private static final int NEVER = 4;
    private static final int LATE = 5;
    private static final int THIRD = 6;

    private final String name = RunningGateway.newDatabase();
    private final AtomicInteger queries = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger runningMost = new AtomicInteger();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri("admin")))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    if (List.of("find", "count").contains(event.getCommandName())) {
                        queries.incrementAndGet();
                    }
                    runningMost.accumulateAndGet(running.incrementAndGet(), Math::max);
                }

                @Override
                public void commandSucceeded(CommandSucceededEvent event) {
                    running.decrementAndGet();
                }
            })
            .build());
    private final LongReads reads = TestLongReads.over(client, name);
    private final TermStore terms = new TermStore(
            reads, TestBoundedReads.withoutRests(), () -> new TokenDays(FROM, TODAY), TestCountByKeys::noArchive);
    private final CountByKeys count = new CountByKeys(terms);
    private final List<TransactionId> ids = IntStream.range(0, DAYS * A_DAY)
            .mapToObj(
                    i -> TransactionId.at(Instant.ofEpochMilli((TODAY - DAYS) * DAY_MILLIS + i * (DAY_MILLIS / A_DAY))))
            .toList();

    SparseYearsIT() {
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            int transaction = i;
            TransactionId id = ids.get(i);
            documents.add(new Document(TransactionFields.ID, TransactionCodec.binary(id.value()))
                    .append(TransactionFields.TENANT, TENANT.key())
                    .append(
                            TransactionFields.SEARCH,
                            LongStream.rangeClosed(RARE, THIRD)
                                    .filter(token -> applies(token, transaction))
                                    .map(token -> SearchTokens.stored(token, SearchTokens.day(id, FROM)))
                                    .boxed()
                                    .toList()));
        }
        Mono.from(reads.database().getCollection(CollectionNames.TRANSACTIONS).insertMany(documents))
                .block(WAIT_MAX);
    }

    @AfterAll
    void close() {
        Mono.from(client.getDatabase(name).drop()).block(WAIT_MAX);
        client.close();
    }

    private static boolean applies(long token, int transaction) {
        return switch ((int) token) {
            case RARE -> transaction % (100 * A_DAY) == 50;
            case OFTEN -> transaction % 3 != 0;
            case ONCE_OFTEN -> transaction < 3 * 365 * A_DAY || transaction == DAYS * A_DAY - 1;
            case LATE -> transaction >= 3 * 365 * A_DAY - 40;
            case THIRD -> transaction % 3 == 0 || transaction >= 600 && transaction < 610;
            default -> false;
        };
    }

    private static <T> T block(Mono<T> mono) {
        return mono.blockOptional(WAIT_MAX).orElseThrow();
    }

    private static Term term(String tokens) {
        return Term.anyToken(
                List.of(tokens.split("\\|")).stream().map(SparseYearsIT::token).toList());
    }

    private static long token(String name) {
        return List.of("RARE", "OFTEN", "ONCE_OFTEN", "NEVER", "LATE", "THIRD").indexOf(name) + 1;
    }

    private List<TransactionId> expected(List<Term> all, List<Span> spans) {
        List<TransactionId> matching = new ArrayList<>(IntStream.range(0, ids.size())
                .filter(i -> all.stream().allMatch(term -> ((Filter.OfTokens) term)
                        .alternatives().stream().anyMatch(token -> applies(token, i))))
                .mapToObj(ids::get)
                .filter(id -> spans.stream().anyMatch(span -> span.contains(id)))
                .toList());
        Collections.reverse(matching);
        return matching;
    }

    /** @param from days before today */
    private static Span days(int from, int before) {
        return Span.ofMillis((TODAY - from) * DAY_MILLIS, (TODAY - before) * DAY_MILLIS);
    }

    private static final List<List<Span>> SPANS = List.of(
            List.of(Span.ALL),
            List.of(days(700, 0)),
            List.of(days(1_500, 600)),
            List.of(days(1_800, 1_300)),
            List.of(days(1, 0)),
            List.of(days(0, -1)),
            List.of(days(3_000, 2_000)));

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"RARE", "OFTEN", "ONCE_OFTEN", "NEVER", "RARE|NEVER", "RARE|ONCE_OFTEN"})
    void theHighestIdsOfATermAreFound(String tokens) {
        Term term = term(tokens);
        for (List<Span> spans : SPANS) {
            List<TransactionId> expected = expected(List.of(term), spans);
            for (int skip : List.of(0, 1, 40, 900, 4_999, 6_000)) {
                for (int limit : List.of(1, 101, 1_000)) {
                    assertThat(block(terms.newest(TENANT, term, spans, skip, limit)))
                            .as("%s, skip %d, limit %d", spans, skip, limit)
                            .isEqualTo(expected.stream().skip(skip).limit(limit).toList());
                }
            }
            assertThat(block(terms.count(TENANT, term, spans.get(0), Long.MAX_VALUE)))
                    .isEqualTo(expected.size());
        }
    }

    /** Days between the spans are not read: their matches would be rows of another place. */
    @Test
    void onlyTheDaysOfTheSpansAreRead() {
        List<Span> spans = List.of(days(10, 9), days(400, 398), days(900, 897), days(1_300, 1_200));
        Term often = term("OFTEN");

        assertThat(block(terms.newest(TENANT, often, spans.subList(0, 3), 0, 1_000)))
                .isEqualTo(expected(List.of(often), spans.subList(0, 3)));
        assertThat(block(terms.newest(TENANT, often, spans, 0, 12)))
                .isEqualTo(expected(List.of(often), spans).subList(0, 12));
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"RARE+OFTEN", "OFTEN+ONCE_OFTEN", "RARE+ONCE_OFTEN", "OFTEN+NEVER", "RARE|ONCE_OFTEN+OFTEN"})
    void allTermsApply(String tokens) {
        Filter filter = filter(tokens);
        for (List<Span> spans : SPANS) {
            List<TransactionId> expected = expected(filter.terms(), spans);
            assertThat(block(count.count(filter, spans.get(0)))).isEqualTo(expected.size());
            for (int skip : List.of(0, 7, 1_500)) {
                assertThat(block(ReadMatches.ids(terms, filter, spans, skip, 101, Long.MAX_VALUE))
                                .ids())
                        .isEqualTo(expected.stream().skip(skip).limit(101).toList());
            }
        }
    }

    private static Filter filter(String tokens) {
        return new Filter(
                TENANT, Stream.of(tokens.split("\\+")).map(SparseYearsIT::term).toList());
    }

    @ParameterizedTest
    @CsvSource({"ONCE_OFTEN+LATE", "ONCE_OFTEN+LATE+OFTEN"})
    void termsThatMeetInTheMiddleApply(String tokens) {
        allTermsApply(tokens);
    }

    @Test
    void aSearchThatGivesUpIsContinued() {
        Filter filter = filter("OFTEN+THIRD");
        List<TransactionId> found = new ArrayList<>();
        int searches = 0;
        for (Span rest = Span.ALL; rest != null; searches++) {
            ReadMatches.FoundIds some =
                    block(ReadMatches.ids(terms, filter, List.of(rest), 0, 101, 2 * ReadMatches.CHUNK_MIN));
            found.addAll(some.ids());
            rest = some.reached() == null ? null : rest.below(some.reached());
        }
        assertThat(found).isEqualTo(expected(filter.terms(), List.of(Span.ALL)));
        assertThat(searches).isGreaterThan(3);
    }

    /** A session is for one read at a time. With the fault, the next ids were read while MongoDB still looked up those before them. */
    @Test
    void aCountOfSeveralTermsHasOneQueryAtATime() {
        runningMost.set(0);
        block(count.count(filter("ONCE_OFTEN+OFTEN"), Span.ALL));
        assertThat(runningMost.get()).isEqualTo(1);
    }

    /** In all years both terms have thousands of keys; in the last ones ONCE_OFTEN has one. */
    @Test
    void theLimitIsOfTheRarestTermInTheSpan() {
        Filter filter = filter("ONCE_OFTEN+LATE");
        assertThat(count.upTo(filter, Span.ALL, 2_000).blockOptional(WAIT_MAX)).isEmpty();
        assertThat(block(count.upTo(filter, days(300, 0), 1))).isEqualTo(new CountByKeys.Counted(1, 1));
    }

    /** The queries of a page over all years, and of its count. */
    @ParameterizedTest
    @CsvSource({"RARE, 2", "NEVER, 2", "OFTEN, 4", "ONCE_OFTEN, 9"})
    void aPageOfYearsTakesFewQueries(String token, int queriesMax) {
        block(terms.firstDay(TENANT));
        queries.set(0);

        block(terms.newest(TENANT, term(token), List.of(Span.ALL), 0, 101));
        assertThat(queries.get()).isLessThanOrEqualTo(queriesMax);

        queries.set(0);
        block(terms.count(TENANT, term(token), Span.ALL, 10_000));
        assertThat(queries.get()).isEqualTo(1);
    }
}
