package dev.ligeiro.gateway.republish;

import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Optional;

/**
 * A stored transaction that no processor has accepted.
 *
 * @param transaction empty when this gateway cannot decode the document, for example one of a newer version
 */
record Unaccepted(TransactionId id, Optional<Transaction> transaction) {}
