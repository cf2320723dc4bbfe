package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;

/**
 * A change to make to one transaction. Commands are idempotent, because each may arrive twice.
 *
 * <p>In JSON the field {@code type} names the command; unknown fields are ignored, an unknown type is an {@link InvalidMessage}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TransactionCommand.Process.class, name = "transaction.process"),
    @JsonSubTypes.Type(value = TransactionCommand.Sandbox.class, name = "transaction.sandbox")
})
public sealed interface TransactionCommand {

    TransactionId transactionId();

    /**
     * Accepts a new transaction and submits it to its rail.
     *
     * @param transaction the whole transaction, so that the processor need not read it
     */
    record Process(Transaction transaction) implements TransactionCommand {

        @Override
        public TransactionId transactionId() {
            return transaction.id();
        }
    }

    /** Applies a sandbox action to a test transaction. */
    record Sandbox(TransactionId transactionId, SandboxAction action) implements TransactionCommand {}
}
