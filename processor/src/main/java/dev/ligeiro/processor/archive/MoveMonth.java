package dev.ligeiro.processor.archive;

import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.archive.MonthStore.Month;
import dev.ligeiro.processor.archive.PartFile.AlteredFile;
import dev.ligeiro.processor.retain.Pace;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Counter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.RawBsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Removes the transactions of an archived month from MongoDB, and inserts them again. Both go through the month's files, each of which is read
 * only if it has the hash that it was written with. A transaction is removed only if it is stored with the very bytes that the file has; if one is
 * not, it has changed, and the month comes back.
 */
class MoveMonth {

    private static final Logger LOG = LoggerFactory.getLogger(MoveMonth.class);

    /** By then all gateways take the month as archived. */
    static final Duration UNTIL_KNOWN = Duration.ofMinutes(1);

    private static final Duration LOOK_AGAIN = Duration.ofDays(1);

    private final MonthStore months;
    private final PartStore parts;
    private final MonthTransactionStore transactions;
    private final BucketVersionStore versions;
    private final Pace pace;
    private final Clock clock;
    private final Counter archived;
    private final Counter restored;

    MoveMonth(
            MonthStore months,
            PartStore parts,
            MonthTransactionStore transactions,
            BucketVersionStore versions,
            Pace pace,
            Clock clock,
            Counter archived,
            Counter restored) {
        this.months = months;
        this.parts = parts;
        this.transactions = transactions;
        this.versions = versions;
        this.pace = pace;
        this.clock = clock;
        this.archived = archived;
        this.restored = restored;
    }

    /** A transaction has changed since it was written to a file. */
    private static final class Changed extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final UUID id;

        private Changed(UUID id) {
            super(id.toString());
            this.id = id;
        }
    }

    /** Removes the transactions of an archived month. None is removed if one of its files is refused before the first is. */
    Mono<Void> remove(Month month) {
        if (month.archivedAt() == null
                || clock.instant().isBefore(month.archivedAt().plus(UNTIL_KNOWN))) {
            return Mono.empty();
        }
        Mono<Void> begun =
                month.isRemoving() ? Mono.empty() : verify(month).then(Mono.defer(() -> months.removing(month)));
        return begun.thenMany(Flux.defer(() -> parts.of(month, month.part())))
                .concatMap(part -> eachBatch(month, part, this::remove).then(months.done(month, part)), 1)
                .then(transactions
                        .next(month.month(), null, 1)
                        .flatMap(left -> Mono.<Void>error(new Changed(MonthTransactionStore.id(left))))
                        .then())
                .then(Mono.defer(() -> months.removed(month, clock.instant())))
                .doOnSuccess(done -> log("month_removed", month, "The transactions of an archived month are removed"))
                .onErrorResume(Changed.class, changed -> {
                    LOG.atWarn()
                            .addKeyValue("event.action", "archived_transaction_changed")
                            .addKeyValue("month", month.month())
                            .addKeyValue("transaction.id", changed.id)
                            .log("A transaction has changed since its month was archived; the month comes back");
                    return months.bringBack(month, changed.id);
                })
                .onErrorResume(AlteredFile.class, altered -> {
                    report(month, altered);
                    return months.stored(month)
                            .flatMap(now -> now.isRemoving()
                                    ? months.altered(month, State.ARCHIVED, altered.name())
                                    : months.waits(month, ArchiveRules.ALTERED_FILE, null, clock.instant()));
                });
    }

    /** Fails with {@link AlteredFile} unless all files of the month are noted, and as they were written. */
    private Mono<Void> verify(Month month) {
        return parts.of(month, 0).collectList().flatMap(noted -> {
            long count = noted.stream().mapToLong(ArchivedPart::transactions).sum();
            if (noted.size() != month.parts() || count != month.transactions()) {
                return Mono.error(new AlteredFile(month.file(Manifest.FILE_NAME)));
            }
            return Flux.fromIterable(noted)
                    .concatMap(part -> parts.<Void>read(month, part, verified -> Mono.empty()), 1)
                    .then();
        });
    }

    private Mono<Integer> remove(List<RawBsonDocument> batch) {
        return transactions.remove(batch).flatMap(removed -> {
            archived.increment(removed.number());
            if (removed.changed() != null) {
                return Mono.error(new Changed(removed.changed()));
            }
            return removed.isPartial() ? remove(batch) : Mono.just(batch.size());
        });
    }

    /** Inserts the transactions of a month again. None is inserted if one of its files is refused. */
    Mono<Void> restore(Month month) {
        return (month.part() > 0 ? Mono.<Void>empty() : verify(month))
                .thenMany(Flux.defer(() -> parts.of(month, month.part())))
                .concatMap(
                        part -> eachBatch(month, part, batch -> insert(month, batch))
                                .then(months.done(month, part)),
                        1)
                .then(Mono.defer(() -> months.restored(
                        month, month.again() ? clock.instant().plus(LOOK_AGAIN) : null, clock.instant())))
                .doOnSuccess(done -> log("month_restored", month, "The transactions of a month are in MongoDB again"))
                .onErrorResume(AlteredFile.class, altered -> {
                    report(month, altered);
                    return months.stored(month)
                            .flatMap(now -> months.altered(
                                    month, now.part() == 0 ? State.ARCHIVED : State.RESTORING, altered.name()));
                });
    }

    private Mono<Integer> insert(Month month, List<RawBsonDocument> batch) {
        return transactions
                .insert(batch)
                .flatMap(taken -> months.keysTaken(month, taken))
                .then(Mono.defer(() -> Flux.fromIterable(batch.stream()
                                .collect(Collectors.groupingBy(
                                        one -> new Tenant(one.getInt64(TransactionFields.TENANT)
                                                .getValue()),
                                        Collectors.mapping(
                                                one -> new TransactionId(MonthTransactionStore.id(one)),
                                                Collectors.toList())))
                                .entrySet())
                        .concatMap(each -> versions.replace(each.getKey(), each.getValue()))
                        .then()))
                .doOnSuccess(done -> restored.increment(batch.size()))
                .thenReturn(batch.size());
    }

    private Mono<Void> eachBatch(Month month, ArchivedPart part, Function<List<RawBsonDocument>, Mono<Integer>> each) {
        return pace.requireTime()
                .then(parts.read(
                        month,
                        part,
                        file -> pace.batches(() -> ArchiveFiles.call(() -> file.next(Pace.BATCH))
                                .filter(batch -> !batch.isEmpty())
                                .flatMap(each))));
    }

    private static void log(String action, Month month, String text) {
        LOG.atInfo()
                .addKeyValue("event.action", action)
                .addKeyValue("month", month.month())
                .log(text);
    }

    private static void report(Month month, AlteredFile altered) {
        if (!month.isAltered()) {
            LOG.atError()
                    .addKeyValue("event.action", "archived_file_altered")
                    .addKeyValue("file", altered.name())
                    .log("A file of the archive is missing or is not as it was written; nothing of it is used");
        }
    }
}
