package dev.ligeiro.gateway.change;

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
 * Asks the processor to move a transaction and waits a little for it. The gateway never writes the change itself: one writer
 * keeps a transaction's changes in order.
 */
@Component
class RequestChange {

    private static final Duration OUTCOME_MAX = Duration.ofSeconds(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration KAFKA_MAX = Duration.ofSeconds(3);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final TransactionStore store;
    private final CommandPublisher publisher;

    RequestChange(TransactionStore store, CommandPublisher publisher) {
        this.store = store;
        this.publisher = publisher;
    }

    /**
     * What became of the wish to move the tenant's transaction to {@code target}. Fails with 404, with 409 when the status
     * does not allow it, with 503 when Kafka has not taken the command.
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
        return Mono.delay(LOOK_EVERY)
                .then(find(before.tenant(), before.id()))
                .filter(now -> isReached(before, now, target))
                .map(now -> new Outcome(now, true))
                .repeatWhenEmpty(looks -> looks)
                .timeout(OUTCOME_MAX, Mono.just(new Outcome(before, false)));
    }

    /** Whether what was asked for has happened; fails once something else has that rules it out. */
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
        return store.find(tenant, id).switchIfEmpty(Mono.error(Problem::transactionNotFound));
    }

    /**
     * The transaction, and whether the change is done; else Kafka has the command and the outcome is still to come.
     */
    record Outcome(Transaction transaction, boolean done) {}
}
