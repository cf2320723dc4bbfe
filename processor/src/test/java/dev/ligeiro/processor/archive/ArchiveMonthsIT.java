package dev.ligeiro.processor.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoWriteException;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** Months leave MongoDB: whole, as they were, and only into files that have them. */
class ArchiveMonthsIT extends WithOldMonths {

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

    @ParameterizedTest
    @CsvSource({"1, altered", "2, altered", "3, missing"})
    void nothingIsRemovedWhileAFileIsNotAsItWasWritten(int number, String fault) throws IOException {
        Map<UUID, RawBsonDocument> originals = stored();
        run(NOW);
        Path file = partOfFirst(number);
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

    @Test
    void aProcessorThatHasLostTheLeaseChangesNothing() throws IOException {
        Map<UUID, RawBsonDocument> originals = without(stored(), YOUNG);
        MonthStore store = new MonthStore(database);
        run(NOW);
        MonthStore.Month before = store.all().next().blockOptional(TIMEOUT).orElseThrow();
        run(MINUTES_LATER);
        List<Document> months = months();

        assertThatThrownBy(() -> store.begin(FIRST).block(TIMEOUT)).isInstanceOf(MongoWriteException.class);
        assertThatThrownBy(() -> store.requireNoPart(before).block(TIMEOUT)).isInstanceOf(IllegalStateException.class);
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
            public void write(String name, Content content) throws IOException {
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
    void aFolderThatIsNotMountedIsNotUsed() throws IOException {
        Path away = folder.resolve("away");
        run(NOW);
        ArchiveFiles files = new FolderFiles(Files.createDirectory(away));
        byte[] content = new byte[1];

        // the place where it is mounted is an empty folder
        assertThatThrownBy(() -> work(files, MINUTES_LATER).run().block(TIMEOUT))
                .hasMessageContaining("ligeiro.archive.to: without .ligeiro-archive");
        assertThatThrownBy(() -> files.write("2025-01/manifest.json", content)).isInstanceOf(IOException.class);
        assertThat(away).isEmptyDirectory();
        assertThat(stored()).hasSize(3 * PER_MONTH);
        assertThat(month(FIRST)).doesNotContainKey(ArchiveFields.ALTERED_FILE);

        Files.delete(away);
        assertThatThrownBy(() -> files.write("2025-01/manifest.json", content)).isInstanceOf(IOException.class);
        assertThat(away).doesNotExist();
        run(MINUTES_LATER);
        assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));
    }

    @Test
    void allFilesAreFoundHoweverLongTheFirstTakes() {
        run(NOW);
        MonthStore.Month month =
                new MonthStore(database).all().next().blockOptional(TIMEOUT).orElseThrow();
        PartStore parts = new PartStore(database.withTimeout(1, TimeUnit.SECONDS), new FolderFiles(folder));

        assertThat(parts.of(month, 0)
                        .map(ArchivedPart::number)
                        .concatMap(
                                number -> Mono.delay(Duration.ofMillis(number == 1 ? 1_200 : 0))
                                        .thenReturn(number),
                                1)
                        .collectList()
                        .block(TIMEOUT))
                .containsExactly(1, 2, 3);
    }

    @Test
    void aFileThatDoesNotFitLeavesNothing() {
        ArchiveFiles.Content content = new ArchiveFiles.Content() {
            @Override
            public long bytes() {
                return 2;
            }

            @Override
            public InputStream open() {
                return new SequenceInputStream(new ByteArrayInputStream(new byte[1]), new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("No space left on device");
                    }
                });
            }
        };

        assertThatThrownBy(() -> new FolderFiles(folder).write("mark", content))
                .hasMessage(folder + "/.mark: No space left on device");

        assertThat(folder).isEmptyDirectory();
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
            bucket.write(name, flipped(file));
            ask(FIRST, State.RESTORING);
            work(bucket, MINUTES_LATER).run().block(TIMEOUT);
            assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
            assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));

            bucket.write(name, file);
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
}
