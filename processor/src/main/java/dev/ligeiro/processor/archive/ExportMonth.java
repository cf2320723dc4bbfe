package dev.ligeiro.processor.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ligeiro.processor.archive.MonthStore.Month;
import dev.ligeiro.processor.archive.MonthTransactionStore.Kept;
import dev.ligeiro.processor.archive.PartFile.AlteredFile;
import dev.ligeiro.store.CollectionNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Writes the transactions of a month to files. A file is written, noted with its hash, read back from the folder or bucket, counted, and only
 * then finished; after a crash the last one is read back or written again. When all are finished, the manifest is written and the month is
 * archived. If a transaction must stay, the month waits, and begins anew a week later.
 */
class ExportMonth {

    private static final Logger LOG = LoggerFactory.getLogger(ExportMonth.class);

    /** The largest transactions have 180 kB. */
    static final int BATCH = 50;

    private static final Duration LOOK_AGAIN = Duration.ofDays(7);
    private static final int FORMAT = 1;
    static final String MANIFEST = "manifest.json";
    private static final JsonWriterSettings INDENTED =
            JsonWriterSettings.builder().indent(true).build();

    private final MonthStore months;
    private final MonthTransactionStore transactions;
    private final ArchiveFiles files;
    private final Duration legalPeriod;
    private final int perFileMax;
    private final Pace pace;
    private final Clock clock;

    ExportMonth(
            MonthStore months,
            MonthTransactionStore transactions,
            ArchiveFiles files,
            Duration legalPeriod,
            int perFileMax,
            Pace pace,
            Clock clock) {
        this.months = months;
        this.transactions = transactions;
        this.files = files;
        this.legalPeriod = legalPeriod;
        this.perFileMax = perFileMax;
        this.pace = pace;
        this.clock = clock;
    }

    /** A transaction must stay in MongoDB. */
    private static final class Stays extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Kept kept;

        private Stays(Kept kept) {
            super(kept.reason());
            this.kept = kept;
        }
    }

    /**
     * Where the next file begins.
     *
     * @param number of the last file; 0 without one
     * @param last the last transaction in it
     */
    private record Place(int number, @Nullable UUID last) {

        private static Place after(ArchivedPart part) {
            return new Place(part.number(), part.last());
        }
    }

    Mono<Void> run(Month month) {
        return transactions
                .kept(month.month(), clock.instant())
                .flatMap(kept -> Mono.<Void>error(new Stays(kept)))
                .then(Mono.defer(() -> resume(month)))
                .flatMap(place ->
                        next(month, place).expand(last -> next(month, last)).then(Mono.defer(() -> complete(month))))
                .onErrorResume(Stays.class, stays -> waits(month, stays.kept));
    }

    private Mono<Void> waits(Month month, Kept kept) {
        LOG.atInfo()
                .addKeyValue("event.action", "month_not_archived")
                .addKeyValue("month", month.month())
                .addKeyValue("reason", kept.reason())
                .log("A month cannot be archived yet; it is looked at again in a week");
        return months.waits(
                month, kept.reason(), kept.transaction(), clock.instant().plus(LOOK_AGAIN));
    }

    /** After the last finished file. One that was written after it is read back now; if that fails, it is written again. */
    private Mono<Place> resume(Month month) {
        return months.parts(month, Math.max(0, month.part() - 1)).collectList().flatMap(found -> {
            Place place = found.stream()
                    .filter(part -> part.number() <= month.part())
                    .findFirst()
                    .map(Place::after)
                    .orElse(new Place(0, null));
            return Mono.justOrEmpty(found.stream()
                            .filter(part -> part.number() > month.part())
                            .findFirst())
                    .flatMap(written -> verify(month, written)
                            .thenReturn(Place.after(written))
                            .onErrorResume(AlteredFile.class, altered -> months.remove(month, written)
                                    .thenReturn(place)))
                    .defaultIfEmpty(place);
        });
    }

    /** Writes the next file; empty if no transactions are left. */
    private Mono<Place> next(Month month, Place after) {
        return pace.requireTime()
                .then(Mono.usingWhen(
                        Pace.blocking(PartFile::create),
                        file -> fill(month, after, file).then(Mono.defer(() -> put(month, after, file))),
                        file -> Pace.blocking(() -> {
                            file.close();
                            return true;
                        })));
    }

    private Mono<Void> fill(Month month, Place after, PartFile file) {
        return pace.batches(() -> file.isFull(perFileMax)
                ? Mono.empty()
                : transactions
                        .next(
                                month.month(),
                                file.last() == null ? after.last() : file.last(),
                                Math.min(BATCH, perFileMax))
                        .collectList()
                        .filter(read -> !read.isEmpty())
                        .flatMap(read -> Pace.blocking(() -> add(read, file))));
    }

    private int add(List<RawBsonDocument> read, PartFile file) throws IOException {
        for (RawBsonDocument one : read) {
            ArchiveRules.reasonToStay(one, legalPeriod, clock.instant()).ifPresent(reason -> {
                throw new Stays(new Kept(reason, MonthTransactionStore.id(one)));
            });
        }
        file.add(read);
        return read.size();
    }

    private Mono<Place> put(Month month, Place after, PartFile file) {
        return file.isEmpty()
                ? Mono.empty()
                : Pace.blocking(() -> {
                            ArchivedPart part = file.complete(after.number() + 1);
                            files.write(month.file(ArchivedPart.fileName(part.number())), file.path());
                            return part;
                        })
                        .flatMap(part -> months.insert(month, part)
                                .then(verify(month, part))
                                .thenReturn(Place.after(part)));
    }

    /** Reads a file back, counts its transactions, and marks it as finished. */
    private Mono<Void> verify(Month month, ArchivedPart part) {
        return Pace.blocking(() -> {
                    Map<BsonDocument, Map<String, Long>> added = new HashMap<>();
                    try (PartFile copy = PartFile.copy(files, month.file(ArchivedPart.fileName(part.number())), part)) {
                        List<RawBsonDocument> read = copy.next(BATCH);
                        while (!read.isEmpty()) {
                            ArchiveRules.count(month.generation(), read, added);
                            read = copy.next(BATCH);
                        }
                    }
                    return added;
                })
                .flatMap(added -> months.count(part, added))
                .then(months.done(month, part));
    }

    private Mono<Void> complete(Month month) {
        return months.parts(month, 0).collectList().flatMap(parts -> {
            if (parts.isEmpty()) {
                return months.forget(month);
            }
            long count = parts.stream().mapToLong(ArchivedPart::transactions).sum();
            long bytes = parts.stream().mapToLong(ArchivedPart::bytes).sum();
            return Pace.blocking(() -> writeManifest(month, parts, count, bytes))
                    .then(Mono.defer(() -> months.archived(month, parts.size(), count, bytes, clock.instant())))
                    .doOnSuccess(done -> LOG.atInfo()
                            .addKeyValue("event.action", "month_archived")
                            .addKeyValue("month", month.month())
                            .addKeyValue("transactions", count)
                            .addKeyValue("files", parts.size())
                            .log("The files of a month are complete and verified; its transactions are removed now"));
        });
    }

    private boolean writeManifest(Month month, List<ArchivedPart> parts, long count, long bytes) throws IOException {
        Map<String, Long> statuses = new TreeMap<>();
        parts.forEach(part -> part.statuses().forEach((status, number) -> statuses.merge(status, number, Long::sum)));
        byte[] manifest = new Document("format", FORMAT)
                .append("collection", CollectionNames.TRANSACTIONS)
                .append("month", month.month().toString())
                .append("generation", month.generation())
                .append("lines", "MongoDB Extended JSON, canonical")
                .append("transactions", count)
                .append("bytes", bytes)
                .append("first_id", parts.get(0).first().toString())
                .append("last_id", parts.get(parts.size() - 1).last().toString())
                .append("status", new Document(statuses))
                .append("files", parts.stream().map(ArchivedPart::described).toList())
                .toJson(INDENTED)
                .getBytes(UTF_8);
        Path local = Files.createTempFile("ligeiro-archive-", ".json");
        try {
            Files.write(local, manifest);
            files.write(month.file(MANIFEST), local);
        } finally {
            Files.delete(local);
        }
        try (InputStream stored = files.open(month.file(MANIFEST))) {
            if (!Arrays.equals(stored.readAllBytes(), manifest)) {
                throw new IOException(MANIFEST + " (expected: as it was written)");
            }
        }
        return true;
    }
}
