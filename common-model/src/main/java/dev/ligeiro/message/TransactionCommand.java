package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;

/**
 * What should happen to one transaction. Commands may arrive twice: applying one again changes nothing.
 *
 * <p>In JSON the {@code type} says which one it is; unknown fields are ignored, an unknown type is a poison record.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TransactionCommand.Process.class, name = "transaction.process"),
    @JsonSubTypes.Type(value = TransactionCommand.Sandbox.class, name = "transaction.sandbox")
})
public sealed interface TransactionCommand {

    TransactionId transactionId();

    /**
     * Take a new transaction over and start it on its rail.
     *
     * @param transaction all of it, so that nothing has to be read
     */
    record Process(Transaction transaction) implements TransactionCommand {

        @Override
        public TransactionId transactionId() {
            return transaction.id();
        }
    }

    /** Do to a test transaction what its rail would do. */
    record Sandbox(TransactionId transactionId, SandboxAction action) implements TransactionCommand {}
}
