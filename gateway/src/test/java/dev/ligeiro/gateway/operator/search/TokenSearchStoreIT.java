package dev.ligeiro.gateway.operator.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.gateway.api.list.match.TokenDays;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.TestLongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * Two tenants of 90 and 200 days. A transaction of every second day has OFTEN, and the oldest ones of both tenants have ONCE. The tokens of the
 * first {@value #DAYS_WITHOUT} days have no day. Today, day {@value #TODAY}, has none.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenSearchStoreIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final Tenant ONE = new Tenant(2);
    private static final Tenant OTHER = new Tenant(4);
    private static final int TODAY = 20_700;
    private static final int DAYS = 200;
    private static final int DAYS_WITHOUT = 100;
    private static final int FROM = TODAY - DAYS + DAYS_WITHOUT;
    private static final long OFTEN = 0x1111_2222_3333_4444L;
    private static final long ONCE = 0x5555_6666_7777_8888L;

    private final String name = RunningGateway.newDatabase();
    private final AtomicInteger queries = new AtomicInteger();
    private final AtomicReference<BsonDocument> query = new AtomicReference<>();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri("admin")))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    if (event.getCommandName().equals("find")) {
                        queries.incrementAndGet();
                        query.set(event.getCommand().clone());
                    }
                }
            })
            .build());
    private final LongReads reads = TestLongReads.over(client, name);
    private final List<TransactionId> often = new ArrayList<>();
    private final List<TransactionId> once = new ArrayList<>();

    TokenSearchStoreIT() {
        List<Document> documents = Stream.concat(
                        IntStream.range(1, 90).mapToObj(daysAgo -> document(ONE, daysAgo)),
                        IntStream.range(1, DAYS + 1).mapToObj(daysAgo -> document(OTHER, daysAgo)))
                .toList();
        Mono.from(reads.database().getCollection(CollectionNames.TRANSACTIONS).insertMany(documents))
                .block(WAIT_MAX);
        often.sort(Comparator.reverseOrder());
        once.sort(Comparator.reverseOrder());
    }

    private Document document(Tenant tenant, int daysAgo) {
        TransactionId id = TransactionId.at(
                Instant.EPOCH.plus(Duration.ofDays(TODAY - daysAgo)).plusSeconds(daysAgo * 37));
        List<Long> tokens = new ArrayList<>();
        if (daysAgo % 2 == 0) {
            tokens.add(OFTEN);
            often.add(id);
        }
        if (tenant.equals(ONE) ? daysAgo == 89 : daysAgo == DAYS) {
            tokens.add(ONCE);
            once.add(id);
        }
        return new Document(TransactionFields.ID, TransactionCodec.binary(id.value()))
                .append(TransactionFields.TENANT, tenant.key())
                .append(
                        TransactionFields.SEARCH,
                        tokens.stream()
                                .map(token -> SearchTokens.stored(token, SearchTokens.day(id, FROM)))
                                .toList());
    }

    @AfterAll
    void close() {
        Mono.from(client.getDatabase(name).drop()).block(WAIT_MAX);
        client.close();
    }

    /** As many, the two that have transactions included. */
    private static List<Tenant> tenants(int count) {
        return LongStream.rangeClosed(1, count).mapToObj(Tenant::new).toList();
    }

    private AdminPage<UUID, UUID> page(List<Tenant> tenants, long token, @Nullable UUID after, int queriesMax) {
        return new TokenSearchStore(reads, () -> new TokenDays(FROM, TODAY), queriesMax)
                .newest(tenants, token, after)
                .blockOptional(WAIT_MAX)
                .orElseThrow();
    }

    private List<AdminPage<UUID, UUID>> pages(List<Tenant> tenants, long token, int queriesMax) {
        List<AdminPage<UUID, UUID>> pages = new ArrayList<>(List.of(page(tenants, token, null, queriesMax)));
        for (UUID next = pages.get(0).next();
                next != null;
                next = pages.get(pages.size() - 1).next()) {
            pages.add(page(tenants, token, next, queriesMax));
        }
        return pages;
    }

    private static List<TransactionId> ids(List<AdminPage<UUID, UUID>> pages) {
        return pages.stream()
                .flatMap(page -> page.items().stream())
                .map(TransactionId::new)
                .toList();
    }

    /** The ways in which days and tenants share the ranges of a query. */
    @ParameterizedTest
    @CsvSource({"4, 250", "4, 1", "40, 1", "40, 3", "150, 7", "200, 1", "201, 1", "450, 250", "450, 7"})
    void everyMatchIsOnOnePageNewestFirst(int tenants, int queriesMax) {
        List<AdminPage<UUID, UUID>> pages = pages(tenants(tenants), OFTEN, queriesMax);

        assertThat(ids(pages)).isEqualTo(often);
        assertThat(pages).allSatisfy(page -> assertThat(page.items()).hasSizeLessThanOrEqualTo(AdminPage.ITEMS_MAX));
        assertThat(ids(pages(tenants(tenants), ONCE, queriesMax))).isEqualTo(once);
    }

    /** 20 days a query, today and 59 days before it. */
    @Test
    void aPageThatEndsByTheBoundNamesTheStartOfTheLastDay() {
        UUID start = UuidV7.lowest(Duration.ofDays(TODAY - 59).toMillis());

        assertThat(page(tenants(10), ONCE, null, 3)).isEqualTo(new AdminPage<>(List.of(), start));
        AdminPage<UUID, UUID> some = page(tenants(10), OFTEN, null, 3);
        assertThat(ids(List.of(some))).isEqualTo(often.subList(0, 2 * 29));
        assertThat(some.next()).isEqualTo(start);
        assertThat(ids(List.of(page(tenants(10), OFTEN, start, 1)))).startsWith(often.get(2 * 29));
    }

    @Test
    void aSearchTakesNoMoreQueriesThanItsBound() {
        queries.set(0);
        page(tenants(450), ONCE, null, 9);
        assertThat(queries.get()).isEqualTo(1 + 9);

        queries.set(0);
        page(tenants(450), ONCE, null, 1);
        assertThat(queries.get()).as("at least one day").isEqualTo(1 + 3);

        queries.set(0);
        page(tenants(4), OFTEN, null, 250);
        assertThat(queries.get()).as("a full page ends it").isEqualTo(1 + 3);
    }

    /** A sort in memory would read all matches of the query. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 150, 200, 201})
    void mongodbMergesTheRangesOfAQuery(int tenants) {
        page(tenants(tenants), OFTEN, null, 1);
        BsonDocument sent = Objects.requireNonNull(query.get());
        Document find = new Document();
        List.of("find", "filter", "hint", "projection", "sort", "limit")
                .forEach(name -> find.put(name, sent.get(name)));
        Document explained = Mono.from(
                        reads.database().runCommand(new Document("explain", find).append("verbosity", "queryPlanner")))
                .blockOptional(WAIT_MAX)
                .orElseThrow();
        assertThat(explained.toString()).contains("stage=IXSCAN").doesNotContain("stage=SORT,", "stage=FETCH");
    }

    @Test
    void ofOneTenantOnlyItsOwnAreFound() {
        assertThat(ids(pages(List.of(ONE), ONCE, 250))).isEqualTo(once.subList(0, 1));
        assertThat(page(List.of(ONE), 1, null, 250)).isEqualTo(new AdminPage<>(List.of(), null));
        assertThat(page(List.of(), OFTEN, null, 250)).isEqualTo(new AdminPage<>(List.of(), null));
    }
}
