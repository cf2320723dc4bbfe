package dev.ligeiro.gateway.change;

import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.gateway.show.TransactionStore;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
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

    RequestChange(TransactionStore store, CommandPublisher publisher) {
        this.store = store;
        this.publisher = publisher;
    }

    /**
     * Moves the tenant's transaction to {@code target} by {@code command}. Fails with 404 for an unknown transaction, with 409 when its
     * status does not allow the move, with 503 when Kafka has not acknowledged the command.
     */
    Mono<Outcome> request(Tenant tenant, TransactionCommand command, Status target) {
        return find(tenant, command.transactionId()).flatMap(before -> {
            requireAllowed(before, target);
            return publisher
                    .publish(command)
                    .timeout(KAFKA_MAX)
                    .onErrorMap(failure -> Problem.unavailable("The change could not be queued", RETRY_AFTER))
                    .then(outcome(before, target));
        });
    }

    private Mono<Outcome> outcome(Transaction before, Status target) {
        return Mono.delay(POLL_INTERVAL)
                .then(find(before.tenant(), before.id()))
                .filter(now -> isReached(before, now, target))
                .map(now -> new Outcome(now, true))
                .repeatWhenEmpty(polls -> polls)
                .timeout(OUTCOME_MAX, Mono.just(new Outcome(before, false)));
    }

    /** Whether the transaction has reached the target; throws 409 when another change has made that impossible. */
    private static boolean isReached(Transaction before, Transaction now, Status target) {
        boolean reached = now.events().stream()
                .anyMatch(event -> event.sequence() > before.version() && event.status() == target);
        if (!reached) {
            requireAllowed(now, target);
        }
        return reached;
    }

    private static void requireAllowed(Transaction transaction, Status target) {
        if (!transaction.allowedMoves().contains(target)) {
            throw Problem.of(
                            ProblemCode.INVALID_TRANSITION,
                            "A transaction that is " + transaction.status().code() + " cannot become " + target.code())
                    .with("from", transaction.status().code())
                    .with("to", target.code())
                    .with(
                            "allowed",
                            transaction.allowedMoves().stream()
                                    .map(Status::code)
                                    .toList());
        }
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
