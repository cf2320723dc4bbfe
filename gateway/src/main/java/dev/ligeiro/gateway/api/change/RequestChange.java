package dev.ligeiro.gateway.api.change;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.change.ChangeRequest.Outcome;
import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.gateway.publish.CommandPublisher.CausedCommand;
import dev.ligeiro.gateway.publish.QueuedChangeStore;
import dev.ligeiro.gateway.store.StopStore;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends the processor a command that changes a transaction, and waits for the entry that the command causes. The gateway
 * never changes a transaction itself: a single writer keeps the changes of each transaction in order.
 */
@Component
class RequestChange {

    /** Longer than all steps together: the wait for a turn, two reads, the confirmation by Kafka, the wait for the outcome, and a write. */
    static final Duration TIMEOUT = BoundedReads.CHANGE_WAIT_MAX.plusSeconds(12);

    /** A change waits for its turn if the history of its transaction has more entries; a refund has two. */
    private static final int ENTRIES_MANY = 20;

    private static final Duration KAFKA_MAX = Duration.ofSeconds(3);
    private static final Duration KEEP_MAX = Duration.ofSeconds(1);
    /** Then Kafka's client has given the command up (delivery.timeout.ms, 20 s), or the processor has had time to carry it out. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(25);

    static final Duration OUTCOME_MAX = Duration.ofSeconds(2);

    /** The pauses before the reads. They grow, because under load many requests wait. */
    private static final Flux<Duration> PAUSES =
            Flux.concat(Flux.just(50, 50, 100), Flux.just(200).repeat()).map(Duration::ofMillis);

    private static final Duration LAST_READ_MAX = Duration.ofMillis(500);

    private final TransactionStore store;
    private final CommandPublisher publisher;
    private final QueuedChangeStore queued;
    private final BoundedReads bounded;
    private final StopStore stops;
    private final Clock clock;

    /** The transactions with many refunds that were read lately; changes of these wait for their turn. */
    private final Cache<TransactionId, Boolean> withManyRefunds = Caffeine.newBuilder()
            .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
            .build();

    RequestChange(
            TransactionStore store,
            CommandPublisher publisher,
            QueuedChangeStore queued,
            BoundedReads bounded,
            StopStore stops,
            Clock clock) {
        this.store = store;
        this.publisher = publisher;
        this.queued = queued;
        this.bounded = bounded;
        this.stops = stops;
        this.clock = clock;
    }

    /**
     * Changes the tenant's transaction by {@code action}. A request with the idempotency key or refund reference of an earlier, equal
     * one sends nothing. Fails with 404 for an unknown transaction, with the problem of {@link ChangeProblems} when the transaction does
     * not allow the change, with 422 when the key belongs to another request, with 429 when the tenant has too many changes of
     * transactions with many refunds under way, with 503 when Kafka has not acknowledged the command. Once Kafka has it, never with 429, and
     * with 503 only if the processor has refused an approval for now.
     *
     * @param key the request's idempotency key; null when not given
     */
    Mono<Outcome> request(
            Tenant tenant, TransactionId id, ChangeAction action, @Nullable String key, Requester by, Origin origin) {
        ChangeRequest request = new ChangeRequest(id, new ChangeRef(UuidV7.at(clock.millis()), key, by), action);
        Mono<Outcome> outcome = holder(tenant, key)
                .mapNotNull(holder -> request.outcome(holder).orElse(null))
                .switchIfEmpty(Mono.defer(() -> change(tenant, request, origin)));
        return withManyRefunds.getIfPresent(id) == null ? outcome : bounded.change(tenant, outcome);
    }

    private Mono<Transaction> holder(Tenant tenant, @Nullable String key) {
        return key == null ? Mono.empty() : store.holder(tenant, key).timeout(Route.TIMEOUT);
    }

    /** The read ends as a future, which keeps its result only; a chain would keep the transaction, of up to 200 kB, until the end. */
    private Mono<Outcome> change(Tenant tenant, ChangeRequest request, Origin origin) {
        Mono<Transaction> read = find(tenant, request.id());
        return Mono.fromFuture(
                        () -> read.map(before -> outcome(before, request)).toFuture())
                .flatMap(known -> known.kind() == Outcome.Kind.QUEUED
                        ? requireNotFrozen(tenant, request.action())
                                .then(Mono.defer(() -> send(tenant, request, origin)))
                                .then(await(request, known, readOutcome(tenant, request), read))
                                .flatMap(outcome -> outcome.kind() == Outcome.Kind.QUEUED
                                        ? keep(tenant, request).thenReturn(outcome)
                                        : Mono.just(outcome))
                        : Mono.just(known));
    }

    /** So that it can be published again if Kafka loses it. Without it the answer is the same: Kafka has the command. */
    private Mono<Void> keep(Tenant tenant, ChangeRequest request) {
        return queued.insert(command(tenant, request), clock.instant())
                .timeout(KEEP_MAX)
                .onErrorComplete();
    }

    private static TransactionCommand.Change command(Tenant tenant, ChangeRequest request) {
        return new TransactionCommand.Change(tenant, request.id(), request.change(), request.action());
    }

    private Mono<Void> requireNotFrozen(Tenant tenant, ChangeAction action) {
        return action instanceof ChangeAction.Refund || action instanceof ChangeAction.Approval
                ? stops.isFrozen(tenant.merchantNumber())
                        .flatMap(isFrozen -> isFrozen ? Mono.error(ChangeProblems.merchantFrozen()) : Mono.empty())
                : Mono.empty();
    }

    private Mono<Transaction> readOutcome(Tenant tenant, ChangeRequest request) {
        return store.findWithOutcome(tenant, request.id(), request.change(), request.refundReference())
                .timeout(Route.TIMEOUT);
    }

    /** That of an earlier, equal request; queued if there was none and the transaction allows the change. */
    private Outcome outcome(Transaction before, ChangeRequest request) {
        if (before.history().entries().size() > ENTRIES_MANY) {
            withManyRefunds.put(before.id(), true);
        }
        return request.outcome(before).orElseGet(() -> {
            request.requireAllowed(before, clock.instant());
            return Outcome.queuedWithoutRefunds(before);
        });
    }

    private Mono<Void> send(Tenant tenant, ChangeRequest request, Origin origin) {
        return publisher
                .publish(new CausedCommand(command(tenant, request), origin))
                .timeout(KAFKA_MAX)
                .onErrorMap(failure -> Problem.unavailable(
                        "Kafka has not confirmed the change, which may still be made. Repeat the request with the same"
                                + " Idempotency-Key, or read the transaction after Retry-After",
                        RETRY_AFTER,
                        failure));
    }

    /**
     * Waits up to 2 s for the outcome of a change whose command Kafka has. The change will be made whatever happens to the reads, so when
     * the transaction cannot be read, the change counts as queued: after a 503, a client would send the refund a second time. Fails with the
     * problem of the refusal when the processor has refused the change.
     *
     * @param unread the outcome if the transaction cannot be read. It is kept while the change waits, thousands of which may wait at once
     * @param readOutcome reads the transaction once the outcome is in its history, at each subscription: one with 100 refunds has 180 kB,
     *     and other requests change it meanwhile
     * @param read reads the transaction in any state
     */
    static Mono<Outcome> await(
            ChangeRequest request, Outcome unread, Mono<Transaction> readOutcome, Mono<Transaction> read) {
        Mono<Outcome> queued = read.map(now -> request.outcome(now).orElseGet(() -> Outcome.queued(now.snapshot())))
                .timeout(LAST_READ_MAX)
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread));
        return PAUSES.concatMap(pause -> Mono.delay(pause).then(readOutcome), 0)
                .mapNotNull(now -> request.outcome(now).orElse(null))
                .next()
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread))
                .timeout(OUTCOME_MAX, queued);
    }

    private Mono<Transaction> find(Tenant tenant, TransactionId id) {
        return store.find(tenant, id).timeout(Route.TIMEOUT).switchIfEmpty(Mono.error(Problem::transactionNotFound));
    }
}
