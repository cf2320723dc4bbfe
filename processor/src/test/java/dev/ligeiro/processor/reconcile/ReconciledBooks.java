package dev.ligeiro.processor.reconcile;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.rail.BankRails;
import dev.ligeiro.processor.rail.bank.BankLists;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.testing.mongo.ShardKeys;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Books in a database of their own, with the indexes that the gateway creates, and a processor that compares them with a list. */
final class ReconciledBooks implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(60);
    static final ReconcileProperties SETTINGS = Settings.of(ReconcileProperties.class);

    final TestClock clock = TestClock.ticking();
    /** The comparison begins in the middle of the day before. */
    final Instant since;

    final MongoDatabase database;
    private final LeaseStore leases;
    private final BankRails rails;
    boolean booksLag;
    private final TestDatabase stored = new TestDatabase();
    private final MongoClient client;
    private final ShardKeys shardKeys = new ShardKeys();
    private final AtomicInteger posted = new AtomicInteger();

    ReconciledBooks(RunningBank bank) {
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(stored.uri()))
                .addCommandListener(shardKeys)
                .build());
        database = client.getDatabase(stored.database().getName());
        leases = new LeaseStore(database);
        since = dayEnds().minus(36, ChronoUnit.HOURS);
        stored.createIndexesOfReconciliation();
        rails = BankRails.of(bank, new SimpleMeterRegistry(), clock);
        beginAt(since.minusSeconds(3600));
    }

    /** The end of the current day of the settings. */
    private Instant dayEnds() {
        LocalDate today = clock.instant().atZone(SETTINGS.timeZone()).toLocalDate();
        return today.plusDays(1).atStartOfDay(SETTINGS.timeZone()).toInstant();
    }

    private ReconcileRails processor() {
        return new ReconcileRails(
                rails.live(),
                new BankMovements(new BankLists(rails.rails())),
                new BookedStore(database),
                new BreakStore(database, SETTINGS, clock),
                leases,
                time -> Mono.just(!booksLag),
                new ReconcileMetrics(new SimpleMeterRegistry()),
                SETTINGS,
                clock);
    }

    /** The next hour to be read, for the first time and again. */
    void beginAt(Instant hour) {
        leases.setProgress(ListProgress.id("bank"), ListProgress.class, new ListProgress(since, hour, hour))
                .block(TIMEOUT);
    }

    ListProgress progress() {
        return leases.progress(ListProgress.id("bank"), ListProgress.class)
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    /** Reads the hours so far for the first time. */
    void compareHours() {
        processor()
                .pass(Objects.requireNonNull(rails.live().accounts().get("bank")))
                .block(TIMEOUT);
        shardKeys.check();
    }

    /** Also those of today, and all of them again. */
    void compareDays() {
        clock.move(Duration.between(clock.instant(), dayEnds().plus(SETTINGS.dayAfter())));
        compareHours();
    }

    void post(String railId, long cents, Instant at) {
        Document posting = new Document(PostingFields.ID, "event:" + posted.incrementAndGet())
                .append(PostingFields.TENANT, Transactions.TENANT.key())
                .append(PostingFields.AT, Date.from(at))
                .append(PostingFields.TRANSACTION_ID, TransactionId.at(at).value())
                .append(PostingFields.RAIL_NAME, "bank")
                .append(PostingFields.RAIL_ID, railId)
                .append(PostingFields.UNRECONCILED, true)
                .append(PostingFields.LEGS, new Document(BalanceFields.RAIL, cents));
        Mono.from(database.getCollection(CollectionNames.POSTINGS).insertOne(posting))
                .block(TIMEOUT);
    }

    /** The open breaks as {@code kind id ours theirs}, in the order of their ids. */
    List<String> open() {
        return stored(Filters.exists(BreakFields.OPEN));
    }

    /** The closed ones, as {@code kind id ours theirs reason}. */
    List<String> closed() {
        return stored(Filters.exists(BreakFields.CLOSED_AT));
    }

    private List<String> stored(org.bson.conversions.Bson which) {
        List<Document> found = Flux.from(
                        database.getCollection(CollectionNames.BREAKS).find(which))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        List<String> texts = new ArrayList<>();
        found.stream()
                .sorted(Comparator.comparing(one -> one.getString(BreakFields.RAIL_ID)))
                .forEach(one -> texts.add(one.getString(BreakFields.KIND) + " " + one.getString(BreakFields.RAIL_ID)
                        + " " + one.get(BreakFields.OURS) + " " + one.get(BreakFields.THEIRS)
                        + (one.containsKey(BreakFields.REASON) ? " " + one.get(BreakFields.REASON) : "")));
        return texts;
    }

    void close(String railId, String reason) {
        Mono.from(database.getCollection(CollectionNames.BREAKS)
                        .updateOne(
                                Filters.eq(BreakFields.RAIL_ID, railId),
                                Updates.combine(
                                        Updates.set(BreakFields.CLOSED_AT, new Date(clock.millis())),
                                        Updates.set(BreakFields.CLOSED_BY, "ana"),
                                        Updates.set(BreakFields.REASON, reason),
                                        Updates.unset(BreakFields.OPEN))))
                .block(TIMEOUT);
    }

    /** How many postings are not reconciled. */
    long unreconciled() {
        return Mono.from(database.getCollection(CollectionNames.POSTINGS)
                        .countDocuments(Filters.exists(PostingFields.UNRECONCILED)))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    @Override
    public void close() {
        client.close();
        stored.close();
    }
}
