package dev.ligeiro.gateway.create;

import dev.ligeiro.gateway.GatewayProperties;
import dev.ligeiro.gateway.http.TransactionJson;
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

/**
 * Creates a transaction. When it succeeds, the transaction is stored with majority write concern and will be processed, even if this
 * gateway or Kafka fails right afterwards.
 */
@Component
final class CreateTransaction {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final NewTransaction newTransaction;
    private final InsertStore store;
    private final TransactionJson transactionJson;
    private final Amount amountMax;

    CreateTransaction(
            NewTransaction newTransaction,
            InsertStore store,
            TransactionJson transactionJson,
            GatewayProperties properties) {
        this.newTransaction = newTransaction;
        this.store = store;
        this.transactionJson = transactionJson;
        this.amountMax = Amount.of(properties.amountMax());
    }

    Mono<Created> create(Operation operation, ObjectNode body, Caller caller) {
        CreateRequest request = CreateRequest.parse(operation, body, caller.platforms(), amountMax);
        Transaction transaction = newTransaction.of(request, caller);
        Mono<Void> stored = store.insert(transaction);
        // written while the insert runs, on this thread: every value of the response is already known
        Created created = new Created(transaction, transactionJson.one(transaction));
        return stored.thenReturn(created).onErrorResume(ReferenceAlreadyUsed.class, duplicate -> conflict(transaction));
    }

    private Mono<Created> conflict(Transaction transaction) {
        return store.holderOfReference(transaction)
                .<Created>flatMap(holder -> Mono.error(Problem.of(
                                ProblemCode.REFERENCE_ALREADY_USED, "Another of your transactions has this reference")
                        .with("transaction_id", holder)))
                // a failover has rolled back the insert that held the reference
                .switchIfEmpty(Mono.error(
                        () -> Problem.unavailable("It is unknown whether the reference is used", RETRY_AFTER)));
    }

    /**
     * A stored transaction.
     *
     * @param json the body of the response
     */
    record Created(Transaction transaction, byte[] json) {}
}
