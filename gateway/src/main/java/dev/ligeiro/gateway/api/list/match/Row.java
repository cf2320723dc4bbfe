package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A stored transaction as lists and exports read it.
 *
 * @param transaction null if the document cannot be decoded
 * @param bytes those of the document
 */
record Row(TransactionId id, @Nullable TransactionSnapshot transaction, int bytes) {}
