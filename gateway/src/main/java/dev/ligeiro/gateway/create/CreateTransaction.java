package dev.ligeiro.gateway.create;

import dev.ligeiro.gateway.GatewayProperties;
import dev.ligeiro.gateway.http.TransactionAnswers;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** Takes a transaction in. When it succeeds the transaction is stored for good and will be processed, whatever dies next. */
@Component
final class CreateTransaction {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final NewTransaction newTransaction;
    private final InsertStore store;
    private final TransactionAnswers answers;
    private final Amount amountMax;

    CreateTransaction(
            NewTransaction newTransaction,
            InsertStore store,
            TransactionAnswers answers,
            GatewayProperties properties) {
        this.newTransaction = newTransaction;
        this.store = store;
        this.answers = answers;
        this.amountMax = Amount.of(properties.amountMax());
    }

    Mono<Created> create(Operation operation, ObjectNode body, Caller caller) {
        CreateRequest request = CreateRequest.parse(operation, body, caller.platforms(), amountMax);
        Transaction transaction = newTransaction.of(request, caller);
        Mono<Void> stored = store.insert(transaction);
        // fixed already, so it is written while the insert is under way: the store's thread has less to do
        Created created = new Created(transaction, answers.one(transaction));
        return stored.thenReturn(created).onErrorResume(ReferenceAlreadyUsed.class, duplicate -> conflict(transaction));
    }

    private Mono<Created> conflict(Transaction transaction) {
        return store.holderOfReference(transaction)
                .<Created>flatMap(holder -> Mono.error(
                        Problem.of(ProblemCode.REFERENCE_ALREADY_USED, "A transaction of yours has this reference")
                                .with("transaction_id", holder)))
                // gone again: the insert that had it was taken back by a failover
                .switchIfEmpty(Mono.error(() -> Problem.unavailable("The reference is in doubt", RETRY_AFTER)));
    }

    /**
     * A stored transaction.
     *
     * @param answer the JSON that tells the caller of it
     */
    record Created(Transaction transaction, byte[] answer) {}
}
