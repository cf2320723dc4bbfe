package dev.ligeiro.gateway.change;

import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.gateway.show.TransactionStore;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends the processor a command that changes a transaction, and waits up to 2 s for the change. The gateway never changes a
 * transaction itself: a single writer keeps the changes of each transaction in order.
 */
@Component
class RequestChange {

    /** More than the sum of the limits of the steps: reading the transaction, Kafka and the outcome. */
    static final Duration TIMEOUT = Duration.ofSeconds(8);

    private static final Duration OUTCOME_MAX = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final Duration KAFKA_MAX = Duration.ofSeconds(3);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final TransactionStore store;
    private final CommandPublisher publisher;
    private final Clock clock;

    RequestChange(TransactionStore store, CommandPublisher publisher, Clock clock) {
        this.store = store;
        this.publisher = publisher;
        this.clock = clock;
    }

    /**
     * Changes the tenant's transaction by {@code action}. Fails with 404 for an unknown transaction, with 409 when the transaction does
     * not allow it, with 503 when Kafka has not acknowledged the command.
     */
    Mono<Outcome> request(Tenant tenant, TransactionId id, ChangeAction action) {
        return find(tenant, id).flatMap(before -> {
            requireAllowed(before, action);
            ChangeRef change = new ChangeRef(RefundId.at(clock.instant()).value(), null);
            return publisher
                    .publish(new TransactionCommand.Change(id, change, action))
                    .timeout(KAFKA_MAX)
                    .onErrorMap(failure -> Problem.unavailable("The change could not be queued", RETRY_AFTER))
                    .then(outcome(before, change, action));
        });
    }

    /** Waits for the entry that the request causes. */
    private Mono<Outcome> outcome(Transaction before, ChangeRef change, ChangeAction action) {
        return Mono.delay(POLL_INTERVAL)
                .then(find(before.tenant(), before.id()))
                .filter(now -> isMade(now, change, action))
                .map(now -> new Outcome(now, true))
                .repeatWhenEmpty(polls -> polls)
                .timeout(OUTCOME_MAX, Mono.just(new Outcome(before, false)));
    }

    /** Whether the request's entry exists; throws 409 when the processor has refused the request. */
    private static boolean isMade(Transaction now, ChangeRef change, ChangeAction action) {
        for (Entry entry : now.history().entries()) {
            if (change.id().equals(entry.changeId())) {
                if (entry instanceof Entry.ChangeRefused) {
                    throw refused(now, action);
                }
                return true;
            }
        }
        return false;
    }

    private void requireAllowed(Transaction transaction, ChangeAction action) {
        if (ChangeRules.refusal(transaction, action, clock.instant()).isPresent()) {
            throw refused(transaction, action);
        }
    }

    private static Problem refused(Transaction transaction, ChangeAction action) {
        Status target = action.target();
        return Problem.of(
                        ProblemCode.INVALID_TRANSITION,
                        "A transaction that is " + transaction.status().code() + " cannot become " + target.code())
                .with("from", transaction.status().code())
                .with("to", target.code())
                .with(
                        "allowed",
                        transaction.allowedMoves().stream().map(Status::code).toList());
    }

    private Mono<Transaction> find(Tenant tenant, TransactionId id) {
        return store.find(tenant, id).timeout(Route.TIMEOUT).switchIfEmpty(Mono.error(Problem::transactionNotFound));
    }

    /**
     * The outcome of a change.
     *
     * @param done whether the transaction has the target status; otherwise Kafka has the command and the change follows
     */
    record Outcome(Transaction transaction, boolean done) {}
}
