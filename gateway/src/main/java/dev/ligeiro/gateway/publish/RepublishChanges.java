package dev.ligeiro.gateway.publish;

import dev.ligeiro.gateway.publish.CommandPublisher.CausedCommand;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.QueuedChange;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Republishes the commands of changes that were answered 202, if the processors' group has passed them and the transaction has no outcome: Kafka
 * has lost them. A change without an outcome gets further copies, after pauses that grow with its age, for a week. Then it is given up: its
 * command has ended as a dead letter each time, or it was like an earlier change.
 * So is one that cannot be read.
 */
@Component
class RepublishChanges {

    private static final Logger LOG = LoggerFactory.getLogger(RepublishChanges.class);

    /** A change has some 500 bytes, its transaction up to 200 kB: they are read one by one. */
    private static final int BATCH = 200;

    private static final Duration GIVEN_UP_AFTER = Duration.ofDays(7);
    private static final Duration CONFIRM_MAX = Duration.ofSeconds(10);

    private final QueuedChangeStore store;
    private final CommittedOffsets committedOffsets;
    private final CommandPublisher publisher;
    private final RepublishProperties properties;
    private final Clock clock;

    RepublishChanges(
            QueuedChangeStore store,
            CommittedOffsets committedOffsets,
            CommandPublisher publisher,
            RepublishProperties properties,
            Clock clock) {
        this.store = store;
        this.committedOffsets = committedOffsets;
        this.publisher = publisher;
        this.properties = properties;
        this.clock = clock;
    }

    /** A pass, by the gateway that has the sweeper's lease. */
    Mono<Void> pass() {
        Instant now = clock.instant();
        return store.requestedBefore(now.minus(properties.appendDelayMax()), BATCH)
                .filter(found -> !found.isEmpty())
                .filterWhen(found -> committedOffsets.hasPassed(
                        properties.consumerGroup(),
                        Topics.COMMANDS,
                        found.get(found.size() - 1).requestedAt().plus(properties.appendDelayMax())))
                .flatMap(found -> republish(found, now));
    }

    private Mono<Void> republish(List<QueuedChange> found, Instant now) {
        // the outcomes only: the transactions are large
        return store.transactions(found.stream()
                        .flatMap(each -> Stream.ofNullable(each.command()))
                        .toList())
                .concatMapIterable(transaction -> found.stream()
                        .filter(each -> isKnown(transaction, each))
                        .toList())
                .collect(Collectors.toSet())
                .flatMapMany(known -> Flux.fromIterable(found)
                        .concatMap(each ->
                                known.contains(each) || isGivenUp(each, now) ? store.delete(each) : again(each, now)))
                .then();
    }

    private static boolean isKnown(Transaction transaction, QueuedChange queued) {
        TransactionCommand.Change command = queued.command();
        return command != null
                && command.transactionId().equals(transaction.id())
                && isKnown(transaction, command.change());
    }

    /** A refusal may be missing if many were refused after it. */
    private static boolean isKnown(Transaction transaction, ChangeRef change) {
        Stream<@Nullable ChangeRef> open = transaction.railCalls().stream().map(RailCall::cancel);
        long refusals = transaction.history().entries().stream()
                .filter(Entry.ChangeRefused.class::isInstance)
                .count();
        return refusals >= History.REFUSALS_MAX
                || open.anyMatch(change::equals)
                || transaction.history().entries().stream()
                        .anyMatch(entry -> change.id().equals(entry.changeId())
                                || change.idempotencyKey() != null
                                        && change.idempotencyKey().equals(entry.idempotencyKey()));
    }

    private static boolean isGivenUp(QueuedChange queued, Instant now) {
        boolean isGivenUp = now.isAfter(createdAt(queued).plus(GIVEN_UP_AFTER));
        if (isGivenUp) {
            TransactionCommand.Change command = queued.command();
            LOG.atWarn()
                    .addKeyValue("event.action", "change_given_up")
                    .addKeyValue("change_id", queued.id())
                    .addKeyValue("transaction_id", command == null ? "unreadable" : command.transactionId())
                    .log("A change that was answered 202 has no outcome after a week and is not published again");
        }
        return isGivenUp;
    }

    private static Instant createdAt(QueuedChange queued) {
        return Instant.ofEpochMilli(UuidV7.epochMilli(queued.id()));
    }

    /** The new time is stored first: after a crash between the two steps the next copy follows after the pause. */
    private Mono<Void> again(QueuedChange queued, Instant now) {
        Mono<Void> requested = store.request(queued, properties.nextRequest(createdAt(queued), now));
        TransactionCommand.Change command = queued.command();
        if (command == null) {
            return requested.doOnSuccess(
                    skipped -> LOG.atWarn()
                            .addKeyValue("event.action", "change_unreadable")
                            .addKeyValue("change_id", queued.id())
                            .log(
                                    "A change that was answered 202 cannot be read and is not published again; it is tried again later"));
        }
        return requested
                .then(publisher.publish(new CausedCommand(command, Origin.NONE)).timeout(CONFIRM_MAX))
                .doOnSuccess(sent -> LOG.atInfo()
                        .addKeyValue("event.action", "change_republished")
                        .addKeyValue("transaction_id", command.transactionId())
                        .log("A change that was answered 202 and has no outcome was published again"));
    }
}
