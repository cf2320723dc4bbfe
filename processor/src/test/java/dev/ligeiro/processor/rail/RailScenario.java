package dev.ligeiro.processor.rail;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.List;

/**
 * A new transaction and what happens to it.
 *
 * @param commands sent in this order, {@code Process} among them
 * @param whenPaid sent once the transaction is paid
 * @param ends the transaction's last status
 */
public record RailScenario(
        String name,
        Transaction transaction,
        List<TransactionCommand> commands,
        List<TransactionCommand> whenPaid,
        Status ends) {}
