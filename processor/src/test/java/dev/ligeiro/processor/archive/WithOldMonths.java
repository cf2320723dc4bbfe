package dev.ligeiro.processor.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.apply.BatchStores;
import dev.ligeiro.processor.retain.RetentionProperties;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.store.ArchivedCount;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.testing.mongo.ShardKeys;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Three months of two merchants, five transactions each; files of two transactions. A run can crash after each of its commands to MongoDB and
 * accesses to a file.
 */
abstract class WithOldMonths {

    static final Duration TIMEOUT = Duration.ofSeconds(60);
    static final YearMonth FIRST = YearMonth.of(2025, 1);
    static final YearMonth SECOND = YearMonth.of(2025, 2);
    static final YearMonth YOUNG = YearMonth.of(2025, 3);
    static final Instant NOW = Instant.parse("2026-04-15T12:00:00Z");
    static final Instant MINUTES_LATER = NOW.plusSeconds(90);
    static final Instant DAYS_LATER = NOW.plus(Duration.ofDays(2));
    static final Tenant OTHER = new Tenant(19);
    static final int PER_MONTH = 5;

    Path folder;
    final TestDatabase mongodb = new TestDatabase();
    final AtomicInteger steps = new AtomicInteger();
    private volatile int crashAt = Integer.MAX_VALUE;
    private volatile Sinks.Empty<Boolean> crash = Sinks.empty();
    volatile int alterAt = Integer.MAX_VALUE;
    volatile Duration perStep = Duration.ZERO;
    private final ShardKeys shardKeys = new ShardKeys();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(mongodb.uri()))
            .addCommandListener(shardKeys)
            .addCommandListener(new CommandListener() {
                @Override
                public void commandSucceeded(CommandSucceededEvent event) {
                    step();
                }
            })
            .build());
    final MongoDatabase database = client.getDatabase(mongodb.database().getName());
    private final LeaseStore leases = new LeaseStore(mongodb.database());
    private volatile SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @BeforeEach
    void insertMonths(@TempDir Path folder) {
        this.folder = folder;
        MongoCollection<Document> transactions = collection(CollectionNames.TRANSACTIONS);
        for (String unique : List.of(TransactionFields.REFERENCE, TransactionFields.IDEMPOTENCY_KEYS)) {
            Mono.from(transactions.createIndex(
                            Indexes.ascending(TransactionFields.TENANT, unique),
                            new IndexOptions().unique(true).partialFilterExpression(Filters.exists(unique))))
                    .block(TIMEOUT);
        }
        Mono.from(transactions.createIndex(Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID)))
                .block(TIMEOUT);
        Mono.from(collection(CollectionNames.UNMATCHED_PAYMENTS)
                        .createIndex(Indexes.ascending(UnmatchedPaymentFields.TRANSACTION_ID)))
                .block(TIMEOUT);
        insert();
    }

    @AfterEach
    void closeDatabase() {
        shardKeys.check();
        client.close();
        mongodb.close();
    }

    private void insert() {
        List<Transaction> all = new ArrayList<>();
        for (YearMonth month : List.of(FIRST, SECOND, YOUNG)) {
            for (int i = 0; i < PER_MONTH; i++) {
                all.add(Redaction.of(transaction(month, i)));
            }
        }
        mongodb.insert(all);
    }

    /** The i-th is created at noon of the day i + 1. */
    private static Transaction transaction(YearMonth month, int i) {
        TransactionId id = id(month, i);
        Instant at = id.createdAt();
        if (i < 3) {
            Transaction paid = Transactions.like(Transactions.cashin(id, new Amount(15_075 + i)))
                    .reference("order-" + month + "-" + i)
                    .build()
                    .accept()
                    .moveTo(Status.PAID, at.plusSeconds(60), Source.RAIL);
            return i == 0 ? paid.moveTo(Status.REFUND, at.plusSeconds(90), Source.RAIL) : paid;
        }
        return Transactions.like(Transactions.cashout(id, new Amount(100)))
                .tenant(OTHER)
                .build()
                .accept()
                .moveTo(Status.DENIED, at.plusSeconds(5), Source.RAIL);
    }

    static TransactionId id(YearMonth month, int number) {
        UUID first = TransactionId.at(month.atDay(number + 1).atTime(12, 1).toInstant(ZoneOffset.UTC))
                .value();
        return new TransactionId(new UUID(first.getMostSignificantBits() & ~0xFFFL, 0x8000_0000_0000_0000L));
    }

    static List<UUID> idsOf(YearMonth month) {
        return java.util.stream.IntStream.range(0, PER_MONTH)
                .mapToObj(i -> id(month, i).value())
                .toList();
    }

    static Map<UUID, RawBsonDocument> without(Map<UUID, RawBsonDocument> all, YearMonth month) {
        Map<UUID, RawBsonDocument> rest = new TreeMap<>(all);
        rest.keySet().removeIf(id -> ArchiveFields.month(new TransactionId(id)).equals(month));
        return rest;
    }

    /** Counts a command or an access to a file, after it was done. */
    private void step() {
        int step = steps.incrementAndGet();
        if (step >= crashAt) {
            crash.tryEmitEmpty();
        }
        if (step == alterAt) {
            try {
                Path file = partOfFirst(2);
                Files.write(file, flipped(Files.readAllBytes(file)));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Or else a processor that has lost the lease could replace the file of another. */
    private void requireNoted(String name) {
        if (name.endsWith(".zst")) {
            Mono.from(collection(CollectionNames.ARCHIVED_PARTS)
                            .find(Filters.eq("_id.n", Integer.valueOf(name.replaceAll(".*part-|\\..*", "")))))
                    .blockOptional(TIMEOUT)
                    .orElseThrow();
        }
    }

    void crashAt(int step) {
        steps.set(0);
        crash = Sinks.empty();
        crashAt = step;
    }

    /** @return false if it has crashed: nothing that follows was done */
    boolean run(Instant now) {
        ArchiveFiles real = new FolderFiles(folder);
        ArchiveFiles files = new ArchiveFiles() {
            @Override
            public void write(String name, Content content) throws IOException {
                requireNoted(name);
                real.write(name, content);
                step();
            }

            @Override
            public InputStream open(String name) throws IOException {
                step();
                return real.open(name);
            }
        };
        Boolean ended = Mono.firstWithSignal(
                        crash.asMono().defaultIfEmpty(false),
                        work(files, slow(now)).run().thenReturn(true))
                .block(TIMEOUT);
        return Boolean.TRUE.equals(ended);
    }

    /** Each step takes {@link #perStep}. */
    private Clock slow(Instant now) {
        int before = steps.get();
        InstantSource source = () -> now.plus(perStep.multipliedBy(steps.get() - before));
        return source.withZone(ZoneOffset.UTC);
    }

    ArchiveMonths work(ArchiveFiles files, Instant now) {
        return work(files, Clock.fixed(now, ZoneOffset.UTC));
    }

    private ArchiveMonths work(ArchiveFiles files, Clock clock) {
        meters = new SimpleMeterRegistry();
        return new ArchiveMonths(
                new MonthStore(database),
                new PartStore(database, files),
                new CountStore(database),
                new MonthTransactionStore(database),
                BatchStores.versions(database, clock),
                leases,
                new ArchiveProperties(
                        13, "file:" + folder, 100_000, 2, new ArchiveProperties.S3(null, "us-east-1", false)),
                new RetentionProperties(90, Duration.ZERO, 500),
                meters,
                clock);
    }

    /** The time since the oldest month should have left, as the last run has measured it. */
    Duration behind() {
        return Duration.ofSeconds(
                (long) meters.get("ligeiro.archive.behind").gauge().value());
    }

    void reset(Map<UUID, RawBsonDocument> originals) throws IOException {
        for (String name : List.of(
                CollectionNames.TRANSACTIONS,
                CollectionNames.ARCHIVED_MONTHS,
                CollectionNames.ARCHIVED_PARTS,
                CollectionNames.ARCHIVED_COUNTS)) {
            Mono.from(collection(name).deleteMany(new Document())).block(TIMEOUT);
        }
        Mono.from(raw().insertMany(List.copyOf(originals.values()))).block(TIMEOUT);
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Each transaction is stored as it was, or in a file with the hash that was noted. */
    void requireNothingLost(Map<UUID, RawBsonDocument> originals) throws IOException {
        Map<UUID, RawBsonDocument> all = new TreeMap<>();
        try {
            all.putAll(archived());
        } catch (NoSuchFileException | UncheckedIOException notWritten) {
            // then nothing may be missing
        }
        all.putAll(stored());
        assertThat(all).as("after step " + steps.get()).isEqualTo(originals);
    }

    /** What the files that were noted have. */
    Map<UUID, RawBsonDocument> archived() throws IOException {
        Map<UUID, RawBsonDocument> all = new TreeMap<>();
        for (Document part : Flux.from(
                        collection(CollectionNames.ARCHIVED_PARTS).find())
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow()) {
            Document id = part.get("_id", Document.class);
            Path file = folder.resolve(id.getString("m") + (id.getInteger("g") == 1 ? "" : "-" + id.getInteger("g")))
                    .resolve("part-000" + id.getInteger("n") + ".jsonl.zst");
            byte[] bytes = Files.readAllBytes(file);
            assertThat(sha256(bytes)).isEqualTo(part.getString("sha256"));
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(new ZstdInputStream(Files.newInputStream(file)), UTF_8))) {
                lines.lines()
                        .map(ArchivedPart::transaction)
                        .forEach(one -> all.put(MonthTransactionStore.id(one), one));
            }
        }
        return all;
    }

    Map<UUID, RawBsonDocument> stored() {
        return new TreeMap<>(Flux.from(raw().find().sort(Sorts.ascending("_id")))
                .collectMap(MonthTransactionStore::id)
                .blockOptional(TIMEOUT)
                .orElseThrow());
    }

    /** A file of the first month. */
    Path partOfFirst(int number) {
        return folder.resolve("2025-01/part-000" + number + ".jsonl.zst");
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static byte[] flipped(byte[] bytes) {
        byte[] altered = bytes.clone();
        altered[altered.length / 2] ^= 1;
        return altered;
    }

    void ask(YearMonth month, State state) {
        Mono.from(collection(CollectionNames.ARCHIVED_MONTHS)
                        .updateOne(
                                Filters.eq(month.toString()),
                                Updates.combine(
                                        Updates.set(ArchiveFields.STATE, state.code()),
                                        Updates.set(ArchiveFields.PART, 0))))
                .block(TIMEOUT);
    }

    List<Document> months() {
        return Flux.from(collection(CollectionNames.ARCHIVED_MONTHS).find())
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    Document month(YearMonth month) {
        return months().stream()
                .filter(one -> one.getString("_id").equals(month.toString()))
                .findFirst()
                .orElseThrow();
    }

    State state(YearMonth month) {
        return State.valueOf(month(month).getString(ArchiveFields.STATE).toUpperCase(java.util.Locale.ROOT));
    }

    BsonDocument kinds(YearMonth month, Tenant tenant, int day) {
        return Mono.from(mongodb.database()
                        .getCollection(CollectionNames.ARCHIVED_COUNTS, BsonDocument.class)
                        .find(Filters.eq(ArchivedCount.id(month, 1, tenant, day))))
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .getDocument(ArchivedCount.KINDS);
    }

    String counts(YearMonth month, Tenant tenant, int day) {
        Map<String, Long> counts = new TreeMap<>();
        kinds(month, tenant, day).forEach((key, numbers) -> {
            ArchivedCount kind = ArchivedCount.parse(key).orElseThrow();
            counts.put(
                    kind.status().code() + " " + kind.operation().code(),
                    numbers.asDocument().getInt64(ArchivedCount.TOTAL).getValue());
        });
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(java.util.stream.Collectors.joining(", "));
    }

    MongoCollection<Document> collection(String name) {
        return mongodb.database().getCollection(name);
    }

    private MongoCollection<RawBsonDocument> raw() {
        return mongodb.database().getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class);
    }
}
