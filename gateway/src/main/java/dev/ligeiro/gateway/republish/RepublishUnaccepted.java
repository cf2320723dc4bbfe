package dev.ligeiro.gateway.republish;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.PassedRecords;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Republishes the commands of stored transactions that no processor has accepted and that cannot be waiting in Kafka any more. So no
 * transaction is lost when the gateway or Kafka fails between the insert and the publication, and processors that lag get no copies.
 *
 * <p>Each transaction is scanned once, in the order of creation. A republished one stays open until it is accepted, however long that
 * takes, and is republished again after growing pauses: its command may have ended as a dead letter. One that cannot be decoded stays
 * open too, without a copy, and is read again after the same pauses.
 */
@Component
class RepublishUnaccepted {

    private final UnacceptedStore store;
    private final PassedRecords passedRecords;
    private final SendCopies copies;
    private final RepublishSchedule schedule;
    private final String consumerGroup;
    private final int openMax;

    RepublishUnaccepted(
            UnacceptedStore store, PassedRecords passedRecords, SendCopies copies, RepublishProperties properties) {
        this.store = store;
        this.passedRecords = passedRecords;
        this.copies = copies;
        this.schedule = new RepublishSchedule(properties);
        this.consumerGroup = properties.consumerGroup();
        this.openMax = properties.openMax();
    }

    /** Fails without a copy if Kafka does not tell how far the processors are. */
    Mono<Void> until(Instant latest, Progress progress) {
        return withoutAccepted(progress)
                .flatMap(open -> passedUntil(latest, open).flatMap(passed -> republishDue(open, passed)
                        .flatMap(rest -> scan(rest, schedule.createdBefore(passed)))))
                .then();
    }

    private Mono<Progress> withoutAccepted(Progress progress) {
        List<TransactionId> ids = progress.open().stream().map(Republished::id).toList();
        return Flux.fromIterable(ids)
                .buffer(UnacceptedStore.BATCH)
                .concatMap(store::unacceptedIds)
                .collect(Collectors.toSet())
                .map(unaccepted -> progress.keep(ids, unaccepted))
                .flatMap(kept -> kept.equals(progress) ? Mono.just(kept) : copies.send(List.of(), kept));
    }

    /** Empty while the processors lag so far behind that no further transaction can be settled. */
    private Mono<Instant> passedUntil(Instant latest, Progress progress) {
        return Flux.fromStream(() -> schedule.candidates(latest, progress.settledUntil()))
                .concatMap(this::ifPassed, 0)
                .next();
    }

    private Mono<Instant> ifPassed(Instant time) {
        return passedRecords
                .hasPassed(consumerGroup, Topics.COMMANDS, time)
                .flatMap(passed -> passed ? Mono.just(time) : Mono.empty());
    }

    private Mono<Progress> republishDue(Progress progress, Instant passed) {
        return Mono.just(progress)
                .expand(current -> republishNextDue(current, passed))
                .last();
    }

    private Mono<Progress> republishNextDue(Progress progress, Instant passed) {
        List<TransactionId> due =
                progress.due(schedule, passed).limit(UnacceptedStore.BATCH).toList();
        return due.isEmpty()
                ? Mono.empty()
                : store.unaccepted(due)
                        .collectList()
                        .flatMap(unaccepted -> copies.send(unaccepted, progress.keep(due, ids(unaccepted))));
    }

    private Mono<Progress> scan(Progress progress, Instant before) {
        return Mono.just(progress).expand(current -> scanNext(current, before)).last();
    }

    /**
     * Scans and republishes a part and saves the progress, so that a scan of months continues after a crash. Empty at the end, and when
     * too many transactions are open.
     */
    private Mono<Progress> scanNext(Progress progress, Instant before) {
        if (progress.open().size() >= openMax || !progress.settledUntil().isBefore(before)) {
            return Mono.empty();
        }
        return store.firstOf(new RepublishSchedule.Span(progress.settledUntil(), before))
                .flatMap(span -> republishCreatedIn(span, progress));
    }

    private Mono<Progress> republishCreatedIn(RepublishSchedule.Span span, Progress progress) {
        Set<TransactionId> open = progress.openIds();
        int max = Math.min(UnacceptedStore.BATCH, openMax - open.size());
        return store.createdIn(span)
                .filter(unaccepted -> !open.contains(unaccepted.id()))
                .take(max)
                .collectList()
                .flatMap(unaccepted -> {
                    // after a full batch the scan continues with the millisecond of its last transaction
                    boolean full = unaccepted.size() == max;
                    Instant settled = full ? unaccepted.get(max - 1).id().createdAt() : span.before();
                    return copies.send(unaccepted, progress.settledUntil(settled));
                });
    }

    private static Set<TransactionId> ids(List<Unaccepted> found) {
        return found.stream().map(Unaccepted::id).collect(Collectors.toSet());
    }
}
