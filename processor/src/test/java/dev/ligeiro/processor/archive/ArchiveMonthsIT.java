package dev.ligeiro.processor.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.ZstdInputStream;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoWriteException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.Ports;
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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Three months of two merchants, five transactions each; files of two transactions. */
class ArchiveMonthsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final YearMonth FIRST = YearMonth.of(2025, 1);
    private static final YearMonth SECOND = YearMonth.of(2025, 2);
    private static final YearMonth YOUNG = YearMonth.of(2025, 3);
    private static final Instant NOW = Instant.parse("2026-04-15T12:00:00Z");
    private static final Instant MINUTES_LATER = NOW.plusSeconds(90);
    private static final Instant DAYS_LATER = NOW.plus(Duration.ofDays(2));
    private static final Tenant OTHER = new Tenant(19);
    private static final int PER_MONTH = 5;
    private static final int PER_FILE = 2;

    private final Path folder;
    private final TestDatabase mongodb = new TestDatabase();
    private final AtomicInteger steps = new AtomicInteger();
    private volatile int crashAt = Integer.MAX_VALUE;
    private volatile Sinks.Empty<Boolean> crash = Sinks.empty();
    private volatile int alterAt = Integer.MAX_VALUE;
    private volatile Duration perStep = Duration.ZERO;
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
    private final MongoDatabase database = client.getDatabase(mongodb.database().getName());
    private final LeaseStore leases = new LeaseStore(mongodb.database());

    ArchiveMonthsIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void setUp() {
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
    void close() {
        shardKeys.check();
        client.close();
        mongodb.close();
    }

    @Test
    void afterACrashBetweenAnyTwoStepsAMonthLeavesWhole() throws IOException {
        Map<UUID, RawBsonDocument> originals = without(stored(), SECOND);
        int crashes = 0;
        for (boolean ended = false; !ended; crashes++) {
            reset(originals);
            crashAt(crashes + 1);
            ended = run(NOW) && run(MINUTES_LATER);
            crashAt(Integer.MAX_VALUE);
            requireNothingLost(originals);

            run(NOW);
            run(MINUTES_LATER);

            assertThat(stored().keySet()).as("after step " + crashes).containsExactlyElementsOf(idsOf(YOUNG));
            assertThat(archived()).isEqualTo(without(originals, YOUNG));
            assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
            assertThat(counts(FIRST, Transactions.TENANT, 0)).isEqualTo("paid cashin 2, refund cashin 1");
            assertThat(counts(FIRST, OTHER, 0)).isEqualTo("denied cashout 2");
            // the third day, of which 12:00 is the 49th quarter of an hour
            assertThat(counts(FIRST, Transactions.TENANT, 3)).isEqualTo("paid cashin 1");
            assertThat(kinds(FIRST, Transactions.TENANT, 3))
                    .allSatisfy((kind, numbers) ->
                            assertThat(numbers.asDocument().toJson()).isEqualTo("{\"48\": 1, \"n\": 1}"));
        }
        // fewer would mean that the crashes were not where they should be
        assertThat(crashes).isGreaterThan(50);
    }

    @Test
    @Tag("nightly")
    void afterACrashBetweenAnyTwoStepsARestoredMonthIsAsItWas() throws IOException {
        Map<UUID, RawBsonDocument> originals = without(stored(), SECOND);
        String hash = hash(originals);
        int crashes = 0;
        for (boolean ended = false; !ended; crashes++) {
            reset(originals);
            run(NOW);
            run(MINUTES_LATER);
            ask(FIRST, State.RESTORING);
            crashAt(crashes + 1);
            ended = run(MINUTES_LATER);
            crashAt(Integer.MAX_VALUE);
            requireNothingLost(originals);

            run(MINUTES_LATER);

            assertThat(state(FIRST)).isEqualTo(State.RESTORED);
            assertThat(hash(stored())).isEqualTo(hash);
        }
        assertThat(crashes).isGreaterThan(20);
        // it stays until it is wanted archived again
        run(DAYS_LATER);
        assertThat(state(FIRST)).isEqualTo(State.RESTORED);
        ask(FIRST, State.WAITING);
        run(DAYS_LATER);
        run(DAYS_LATER.plusSeconds(90));
        assertThat(stored()).isEqualTo(without(originals, FIRST));
        assertThat(folder.resolve("2025-01-2/manifest.json")).exists();
        assertThat(folder.resolve("2025-01/manifest.json")).exists();
    }

    @Test
    void theManifestDescribesTheFiles() throws IOException {
        run(NOW);

        Document manifest = Document.parse(Files.readString(folder.resolve("2025-01/manifest.json")));

        assertThat(manifest)
                .containsEntry("format", 1)
                .containsEntry("collection", "transactions")
                .containsEntry("month", "2025-01")
                .containsEntry("transactions", PER_MONTH)
                .containsEntry("first_id", id(FIRST, 0).toString())
                .containsEntry(
                        "status", new Document("denied", 2).append("paid", 2).append("refund", 1));
        List<Document> files = manifest.getList("files", Document.class);
        assertThat(files).extracting(file -> file.getInteger("transactions")).containsExactly(2, 2, 1);
        for (Document file : files) {
            Path path = folder.resolve("2025-01").resolve(file.getString("file"));
            assertThat(file.getString("sha256")).isEqualTo(sha256(Files.readAllBytes(path)));
            assertThat(file.getInteger("bytes")).isEqualTo((int) Files.size(path));
        }
    }

    @Test
    void aTransactionThatChangesBeforeItIsRemovedKeepsTheChange() {
        Map<UUID, RawBsonDocument> originals = stored();
        run(NOW);
        Transaction before = mongodb.read(id(FIRST, 1));
        Transaction changed = before.moveTo(Status.REFUND, NOW, Source.RAIL);
        mongodb.replace(changed);

        run(MINUTES_LATER);
        assertThat(state(FIRST)).isEqualTo(State.RESTORING);
        run(MINUTES_LATER);

        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("changed");
        assertThat(state(FIRST)).isEqualTo(State.WAITING);
        assertThat(mongodb.read(id(FIRST, 1))).isEqualTo(changed);
        assertThat(stored().keySet()).isEqualTo(without(originals, SECOND).keySet());
        // nine days after the change it leaves with it
        run(NOW.plus(Duration.ofDays(9)));
        run(NOW.plus(Duration.ofDays(9)).plusSeconds(90));
        assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));
        assertThat(month(FIRST).getInteger(ArchiveFields.GENERATION)).isEqualTo(2);
    }

    @Test
    void anAlteredFileIsRefusedAndNothingOfTheMonthComesBack() throws IOException {
        Map<UUID, RawBsonDocument> originals = stored();
        run(NOW);
        run(MINUTES_LATER);
        Path second = folder.resolve("2025-01/part-0002.jsonl.zst");
        byte[] bytes = Files.readAllBytes(second);
        for (byte @Nullable [] altered : List.of(flipped(bytes), new byte[0])) {
            Files.write(second, altered);
            ask(FIRST, State.RESTORING);

            run(MINUTES_LATER);

            assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
            assertThat(month(FIRST).getString(ArchiveFields.ALTERED_FILE)).isEqualTo("2025-01/part-0002.jsonl.zst");
            assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));
        }
        Files.delete(second);
        ask(FIRST, State.RESTORING);
        run(MINUTES_LATER);
        assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);

        Files.write(second, bytes);
        ask(FIRST, State.RESTORING);
        run(MINUTES_LATER);
        assertThat(stored()).isEqualTo(without(originals, SECOND));
        assertThat(month(FIRST)).doesNotContainKey(ArchiveFields.ALTERED_FILE);
    }

    @ParameterizedTest
    @CsvSource({"1, altered", "2, altered", "3, missing"})
    void nothingIsRemovedWhileAFileIsNotAsItWasWritten(int number, String fault) throws IOException {
        Map<UUID, RawBsonDocument> originals = stored();
        run(NOW);
        Path file = folder.resolve("2025-01").resolve(ArchivedPart.fileName(number));
        Files.write(file, flipped(Files.readAllBytes(file)));
        if (fault.equals("missing")) {
            Files.delete(file);
        }

        run(MINUTES_LATER);

        assertThat(stored()).isEqualTo(without(originals, SECOND));
        // all are still stored, so the files are written again
        assertThat(month(FIRST).getInteger(ArchiveFields.GENERATION)).isEqualTo(2);
        run(MINUTES_LATER.plusSeconds(90));
        assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));
        ask(FIRST, State.RESTORING);
        run(DAYS_LATER);
        assertThat(stored()).isEqualTo(without(originals, SECOND));
    }

    /** The file is altered at each step of the removal; then operators ask for the return, and the file is put back. */
    @Test
    void noFileIsWrittenAgainOnceATransactionIsRemoved() throws IOException {
        Map<UUID, RawBsonDocument> originals = without(stored(), SECOND);
        Path second = folder.resolve("2025-01/part-0002.jsonl.zst");
        int refused = 0;
        for (int step = 1; step == 1 || steps.get() >= step - 1; step++) {
            reset(originals);
            run(NOW);
            byte[] bytes = Files.readAllBytes(second);
            steps.set(0);
            alterAt = step;
            run(MINUTES_LATER);
            alterAt = Integer.MAX_VALUE;
            int taken = steps.get();
            refused += month(FIRST).containsKey(ArchiveFields.ALTERED_FILE) ? 1 : 0;
            if (state(FIRST) == State.ARCHIVED) {
                ask(FIRST, State.RESTORING);
            }
            for (int again = 1; again < 4; again++) {
                run(MINUTES_LATER.plusSeconds(90L * again));
            }

            Files.write(second, bytes);
            requireNothingLost(originals);
            if (state(FIRST) != State.RESTORED) {
                ask(FIRST, State.RESTORING);
            }
            run(DAYS_LATER);
            assertThat(stored()).as("altered at step " + step).isEqualTo(originals);
            steps.set(taken);
        }
        // fewer would mean that no file was altered after the first removal
        assertThat(refused).isGreaterThan(2);
    }

    @Test
    void aProcessorThatHasLostTheLeaseChangesNothing() throws IOException {
        Map<UUID, RawBsonDocument> originals = without(stored(), YOUNG);
        MonthStore store = new MonthStore(database);
        run(NOW);
        MonthStore.Month before = store.months().next().blockOptional(TIMEOUT).orElseThrow();
        run(MINUTES_LATER);
        List<Document> months = months();

        assertThatThrownBy(() -> store.begin(FIRST).block(TIMEOUT)).isInstanceOf(MongoWriteException.class);
        assertThatThrownBy(() -> store.beginAnew(before).block(TIMEOUT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.waits(before, "changed", null, NOW).block(TIMEOUT))
                .isInstanceOf(IllegalStateException.class);

        assertThat(months()).isEqualTo(months);
        assertThat(archived()).isEqualTo(originals);
        assertThat(counts(FIRST, Transactions.TENANT, 0)).isEqualTo("paid cashin 2, refund cashin 1");
    }

    @Test
    void aMonthIsKnownForAMinuteHoweverLongItsExportTakes() {
        Map<UUID, RawBsonDocument> originals = stored();
        perStep = Duration.ofSeconds(1);

        run(NOW);
        Instant archivedAt = month(SECOND).getDate(ArchiveFields.ARCHIVED_AT).toInstant();
        assertThat(archivedAt).isAfter(NOW.plusSeconds(30));
        perStep = Duration.ZERO;
        run(archivedAt.plusSeconds(59));
        assertThat(stored().keySet()).containsAll(idsOf(SECOND));
        run(archivedAt.plusSeconds(60));
        assertThat(stored().keySet())
                .containsExactlyElementsOf(
                        without(without(originals, FIRST), SECOND).keySet());
    }

    @Test
    void nothingIsRemovedWhenTheFolderCannotBeWritten() {
        Map<UUID, RawBsonDocument> originals = stored();
        ArchiveFiles full = new ArchiveFiles() {
            @Override
            public void write(String name, Path content) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public InputStream open(String name) throws IOException {
                throw new IOException(name);
            }
        };

        for (Instant now : List.of(NOW, MINUTES_LATER)) {
            assertThatThrownBy(() -> work(full, now).run().block(TIMEOUT)).hasMessageContaining("No space left");
        }

        assertThat(stored()).isEqualTo(originals);
        assertThat(state(FIRST)).isEqualTo(State.EXPORTING);
    }

    @Test
    void aMonthWaitsForWhatMustStayAndHoldsUpNoOther() {
        Transaction open = Transactions.like(Transactions.cashin(id(FIRST, 7), new Amount(100)))
                .accepted(true)
                .build();
        mongodb.stored(open);
        run(NOW);
        run(MINUTES_LATER);
        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("unsettled");
        assertThat(month(FIRST).get(ArchiveFields.TRANSACTION_ID, UUID.class))
                .isEqualTo(id(FIRST, 7).value());
        assertThat(state(SECOND)).isEqualTo(State.ARCHIVED);
        assertThat(stored().keySet()).containsAll(idsOf(FIRST));

        mongodb.replace(open.moveTo(Status.EXPIRED, open.terms().expiresAt(), Source.SYSTEM));
        run(NOW.plus(Duration.ofDays(8)));
        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("personal_data");

        mongodb.replace(Redaction.of(mongodb.read(id(FIRST, 7))));
        Mono.from(collection(CollectionNames.UNMATCHED_PAYMENTS)
                        .insertOne(new Document("_id", "pix/E1")
                                .append(
                                        UnmatchedPaymentFields.TRANSACTION_ID,
                                        id(FIRST, 1).value())))
                .block(TIMEOUT);
        run(NOW.plus(Duration.ofDays(16)));
        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("unmatched_payment");

        Mono.from(collection(CollectionNames.UNMATCHED_PAYMENTS).drop()).block(TIMEOUT);
        Mono.from(collection(CollectionNames.UNMATCHED_PAYMENTS)
                        .createIndex(Indexes.ascending(UnmatchedPaymentFields.TRANSACTION_ID)))
                .block(TIMEOUT);
        run(NOW.plus(Duration.ofDays(24)));
        assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
    }

    @Test
    void aMonthWaitsForAMerchantWithLongerRetentionAndIsNotReadMeanwhile() {
        Mono.from(collection(CollectionNames.MERCHANTS)
                        .insertOne(new Document("number", 9L).append("retentionDays", 440)))
                .block(TIMEOUT);

        run(NOW);

        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("personal_data");
        assertThat(month(FIRST).get(ArchiveFields.TRANSACTION_ID, UUID.class))
                .isEqualTo(id(FIRST, 3).value());
        assertThat(folder.resolve("2025-01")).doesNotExist();
        assertThat(state(SECOND)).isEqualTo(State.WAITING);
        // 446 days after the end of January, 418 after that of February
        run(NOW.plus(Duration.ofDays(8)));
        assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
        assertThat(state(SECOND)).isEqualTo(State.WAITING);
    }

    @Test
    void aFolderThatIsNotMountedIsRefused() throws IOException {
        Path away = folder.resolve("away");
        assertThatThrownBy(() -> new FolderFiles(away))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ligeiro.archive.to");
        FolderFiles files = new FolderFiles(Files.createDirectory(away));
        Path content = Files.writeString(folder.resolve("content"), "1");
        Files.delete(away);

        assertThatThrownBy(() -> files.write("2025-01/manifest.json", content)).isInstanceOf(IOException.class);
        assertThat(away).doesNotExist();
    }

    @Test
    void aReferenceThatIsUsedAgainStaysWithTheNewerTransaction() {
        run(NOW);
        run(MINUTES_LATER);
        Transaction newer = Transactions.like(Transactions.cashin(TransactionId.at(NOW), new Amount(100)))
                .reference("order-2025-01-0")
                .build();
        mongodb.stored(newer);
        ask(FIRST, State.RESTORING);

        run(MINUTES_LATER);

        assertThat(state(FIRST)).isEqualTo(State.RESTORED);
        assertThat(month(FIRST).getLong(ArchiveFields.KEYS_TAKEN)).isEqualTo(1);
        assertThat(mongodb.read(id(FIRST, 0)).terms().reference()).isNull();
        assertThat(mongodb.read(id(FIRST, 1)).terms().reference()).isEqualTo("order-2025-01-1");
        assertThat(stored().keySet()).containsAll(idsOf(FIRST));
    }

    @Test
    void whilePausedNothingIsDone() {
        pause(true);
        run(NOW);
        assertThat(months()).isEmpty();

        pause(false);
        run(NOW);
        pause(true);
        run(MINUTES_LATER);
        assertThat(stored()).hasSize(3 * PER_MONTH);
        pause(false);
        run(MINUTES_LATER);
        assertThat(stored()).hasSize(PER_MONTH);
    }

    /** A server that others have written: {@code pip install moto[server]}. */
    @Test
    @Tag("nightly")
    void aBucketIsAsGoodAsAFolder() throws Exception {
        Map<UUID, RawBsonDocument> originals = stored();
        int port = Ports.free();
        Process server = new ProcessBuilder("python3", "-m", "moto.server", "-p", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("moto.log").toFile())
                .start();
        URI endpoint = URI.create("http://127.0.0.1:" + port);
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        try (BucketFiles bucket = new BucketFiles(
                URI.create("s3://archive/pix"), new ArchiveProperties.S3(endpoint, "us-east-1", true))) {
            await().atMost(TIMEOUT).ignoreExceptions().until(() -> created(endpoint.resolve("/archive")));
            assertThatThrownBy(() -> bucket.open("2025-01/none")).isInstanceOf(NoSuchFileException.class);

            work(bucket, NOW).run().block(TIMEOUT);
            work(bucket, MINUTES_LATER).run().block(TIMEOUT);
            assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));

            String name = "2025-01/part-0002.jsonl.zst";
            byte[] file;
            try (InputStream in = bucket.open(name)) {
                file = in.readAllBytes();
            }
            Path other = folder.resolve("other");
            bucket.write(name, Files.write(other, flipped(file)));
            ask(FIRST, State.RESTORING);
            work(bucket, MINUTES_LATER).run().block(TIMEOUT);
            assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
            assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));

            bucket.write(name, Files.write(other, file));
            ask(FIRST, State.RESTORING);
            ask(SECOND, State.RESTORING);
            work(bucket, MINUTES_LATER).run().block(TIMEOUT);
            assertThat(stored()).isEqualTo(originals);

            server.destroy();
            server.waitFor();
            ask(FIRST, State.WAITING);
            assertThatThrownBy(() -> work(bucket, DAYS_LATER).run().block(TIMEOUT))
                    .hasRootCauseInstanceOf(IOException.class);
            assertThat(stored()).isEqualTo(originals);
        } finally {
            server.destroyForcibly();
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    private static boolean created(URI bucket) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(bucket)
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode()
                == 200;
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

    private static TransactionId id(YearMonth month, int number) {
        UUID first = TransactionId.at(month.atDay(number + 1).atTime(12, 1).toInstant(ZoneOffset.UTC))
                .value();
        return new TransactionId(new UUID(first.getMostSignificantBits() & ~0xFFFL, 0x8000_0000_0000_0000L));
    }

    private static List<UUID> idsOf(YearMonth month) {
        return java.util.stream.IntStream.range(0, PER_MONTH)
                .mapToObj(i -> id(month, i).value())
                .toList();
    }

    private static Map<UUID, RawBsonDocument> without(Map<UUID, RawBsonDocument> all, YearMonth month) {
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
                Path file = folder.resolve("2025-01/part-0002.jsonl.zst");
                Files.write(file, flipped(Files.readAllBytes(file)));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private void crashAt(int step) {
        steps.set(0);
        crash = Sinks.empty();
        crashAt = step;
    }

    /** @return false if it has crashed: nothing that follows was done */
    private boolean run(Instant now) {
        ArchiveFiles real = new FolderFiles(folder);
        ArchiveFiles files = new ArchiveFiles() {
            @Override
            public void write(String name, Path content) throws IOException {
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
        return new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now.plus(perStep.multipliedBy(steps.get() - before));
            }
        };
    }

    private ArchiveMonths work(ArchiveFiles files, Instant now) {
        return work(files, Clock.fixed(now, ZoneOffset.UTC));
    }

    private ArchiveMonths work(ArchiveFiles files, Clock clock) {
        return new ArchiveMonths(
                new MonthStore(database),
                new MonthTransactionStore(database),
                files,
                BatchStores.versions(database, clock),
                leases,
                new ArchiveProperties(
                        13, "file:" + folder, 100_000, new ArchiveProperties.S3(null, "us-east-1", false)),
                new RetentionProperties(90, Duration.ZERO, 500),
                new SimpleMeterRegistry(),
                clock,
                PER_FILE);
    }

    private void reset(Map<UUID, RawBsonDocument> originals) throws IOException {
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
    private void requireNothingLost(Map<UUID, RawBsonDocument> originals) throws IOException {
        Map<UUID, RawBsonDocument> all = new TreeMap<>();
        try {
            all.putAll(archived());
        } catch (UncheckedIOException notWritten) {
            // then nothing may be missing
        }
        all.putAll(stored());
        assertThat(all).as("after step " + steps.get()).isEqualTo(originals);
    }

    /** What the files that were noted have. */
    private Map<UUID, RawBsonDocument> archived() throws IOException {
        Map<UUID, RawBsonDocument> all = new TreeMap<>();
        for (Document part : Flux.from(
                        collection(CollectionNames.ARCHIVED_PARTS).find())
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow()) {
            Document id = part.get("_id", Document.class);
            Path file = folder.resolve(ArchivedPart.folder(YearMonth.parse(id.getString("m")), id.getInteger("g")))
                    .resolve(ArchivedPart.fileName(id.getInteger("n")));
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

    private Map<UUID, RawBsonDocument> stored() {
        return new TreeMap<>(Flux.from(raw().find().sort(Sorts.ascending("_id")))
                .collectMap(MonthTransactionStore::id)
                .blockOptional(TIMEOUT)
                .orElseThrow());
    }

    private static String hash(Map<UUID, RawBsonDocument> all) {
        MessageDigest digest = digest();
        all.values().forEach(one -> digest.update(one.getByteBuffer().asNIO()));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] flipped(byte[] bytes) {
        byte[] altered = bytes.clone();
        altered[altered.length / 2] ^= 1;
        return altered;
    }

    private void ask(YearMonth month, State state) {
        Mono.from(collection(CollectionNames.ARCHIVED_MONTHS)
                        .updateOne(
                                Filters.eq(month.toString()),
                                Updates.combine(
                                        Updates.set(ArchiveFields.STATE, state.code()),
                                        Updates.set(ArchiveFields.PART, 0))))
                .block(TIMEOUT);
    }

    private void pause(boolean isPaused) {
        Mono.from(collection(CollectionNames.LEASES)
                        .updateOne(
                                Filters.eq(ArchiveFields.WORK),
                                Updates.set(ArchiveFields.PAUSED, isPaused),
                                new UpdateOptions().upsert(true)))
                .block(TIMEOUT);
    }

    private List<Document> months() {
        return Flux.from(collection(CollectionNames.ARCHIVED_MONTHS).find())
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private Document month(YearMonth month) {
        return months().stream()
                .filter(one -> one.getString("_id").equals(month.toString()))
                .findFirst()
                .orElseThrow();
    }

    private State state(YearMonth month) {
        return State.valueOf(month(month).getString(ArchiveFields.STATE).toUpperCase(java.util.Locale.ROOT));
    }

    private BsonDocument kinds(YearMonth month, Tenant tenant, int day) {
        return Mono.from(mongodb.database()
                        .getCollection(CollectionNames.ARCHIVED_COUNTS, BsonDocument.class)
                        .find(Filters.eq(ArchivedCount.id(month, 1, tenant, day))))
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .getDocument(ArchivedCount.KINDS);
    }

    private String counts(YearMonth month, Tenant tenant, int day) {
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

    private MongoCollection<Document> collection(String name) {
        return mongodb.database().getCollection(name);
    }

    private MongoCollection<RawBsonDocument> raw() {
        return mongodb.database().getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class);
    }
}
