package dev.ligeiro.processor.archive;

import dev.ligeiro.processor.archive.MonthStore.Month;
import dev.ligeiro.processor.archive.MonthTransactionStore.Kept;
import dev.ligeiro.processor.archive.PartFile.AlteredFile;
import dev.ligeiro.processor.retain.Pace;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Writes the transactions of a month to files. A file is noted with its hash, written, read back from the folder or bucket, counted, and only
 * then finished; after a crash the last one is read back or written again. When all are finished, the manifest is written and the month is
 * archived. If a transaction must stay, the month waits, and begins anew a week later.
 */
class ExportMonth {

    private static final Logger LOG = LoggerFactory.getLogger(ExportMonth.class);

    private static final Duration LOOK_AGAIN = Duration.ofDays(7);

    private final MonthStore months;
    private final PartStore parts;
    private final CountStore counts;
    private final MonthTransactionStore transactions;
    private final int perFile;
    private final Duration legalPeriod;
    private final Pace pace;
    private final Clock clock;

    ExportMonth(
            MonthStore months,
            PartStore parts,
            CountStore counts,
            MonthTransactionStore transactions,
            int perFile,
            Duration legalPeriod,
            Pace pace,
            Clock clock) {
        this.months = months;
        this.parts = parts;
        this.counts = counts;
        this.transactions = transactions;
        this.perFile = perFile;
        this.legalPeriod = legalPeriod;
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

        private static final Place START = new Place(0, null);

        private static Place after(ArchivedPart part) {
            return new Place(part.number(), part.last());
        }
    }

    /** @param month that is being exported */
    Mono<Void> run(Month month) {
        return (month.part() == 0 ? forgetEarlierTry(month) : Mono.<Void>empty())
                .then(Mono.defer(() -> transactions.kept(month.month(), clock.instant())))
                .flatMap(kept -> Mono.<Void>error(new Stays(kept)))
                .then(Mono.defer(() -> resume(month)))
                .flatMap(place ->
                        next(month, place).expand(last -> next(month, last)).then(Mono.defer(() -> complete(month))))
                .onErrorResume(Stays.class, stays -> waits(month, stays.kept));
    }

    private Mono<Void> forgetEarlierTry(Month month) {
        return months.requireNoPart(month)
                .then(Mono.defer(() -> parts.removeAll(month)))
                .then(Mono.defer(() -> counts.remove(month.month())));
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
        return parts.of(month, Math.max(0, month.part() - 1))
                .concatMap(part -> part.number() <= month.part() ? Mono.just(part) : verifyAgain(month, part), 1)
                .map(Place::after)
                .last(Place.START);
    }

    private Mono<ArchivedPart> verifyAgain(Month month, ArchivedPart written) {
        return verify(month, written).thenReturn(written).onErrorResume(AlteredFile.class, altered -> parts.remove(
                        month, written)
                .then(Mono.empty()));
    }

    /** Writes the next file; empty if no transactions are left. */
    private Mono<Place> next(Month month, Place after) {
        return pace.requireTime().then(PartFile.using(PartFile::create, file -> fill(month, after, file)
                .then(Mono.defer(() -> put(month, after, file)))));
    }

    private Mono<Void> fill(Month month, Place after, PartFile file) {
        return pace.batches(() -> file.isFull(perFile)
                ? Mono.empty()
                : transactions
                        .next(
                                month.month(),
                                file.last() == null ? after.last() : file.last(),
                                Math.min(Pace.BATCH, perFile))
                        .collectList()
                        .filter(read -> !read.isEmpty())
                        .flatMap(read -> ArchiveFiles.call(() -> add(read, file))));
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
                : parts.write(month, after.number() + 1, file)
                        .flatMap(part -> verify(month, part).thenReturn(Place.after(part)));
    }

    /** Reads a file back, counts its transactions, and marks it as finished. */
    private Mono<Void> verify(Month month, ArchivedPart part) {
        return parts.read(month, part, copy -> ArchiveFiles.call(() -> counted(month, copy)))
                .flatMap(added -> counts.add(part, added))
                .then(months.done(month, part));
    }

    private static Map<BsonDocument, Map<String, Long>> counted(Month month, PartFile copy) throws IOException {
        Map<BsonDocument, Map<String, Long>> added = new HashMap<>();
        List<RawBsonDocument> read = copy.next(Pace.BATCH);
        while (!read.isEmpty()) {
            ArchiveRules.count(month.generation(), read, added);
            read = copy.next(Pace.BATCH);
        }
        return added;
    }

    private Mono<Void> complete(Month month) {
        return parts.of(month, 0).collectList().flatMap(all -> {
            if (all.isEmpty()) {
                return months.forget(month);
            }
            Manifest manifest = new Manifest(month.month(), month.generation(), all);
            return parts.write(month, manifest)
                    .then(Mono.defer(() -> months.archived(month, manifest, clock.instant())))
                    .doOnSuccess(done -> LOG.atInfo()
                            .addKeyValue("event.action", "month_archived")
                            .addKeyValue("month", month.month())
                            .addKeyValue("transactions", manifest.transactions())
                            .addKeyValue("files", all.size())
                            .log("The files of a month are complete and verified; its transactions are removed now"));
        });
    }
}
