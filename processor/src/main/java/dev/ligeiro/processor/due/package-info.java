/**
 * Due work: expiry, unknown outcomes and refunds under way. One processor at a time holds a lease; it finds the transactions whose due
 * time has come and sends a {@link dev.ligeiro.message.TransactionCommand.DueCheck} for each. Of a transaction it changes only
 * the due time in the index; the command is processed like any other.
 */
@NullMarked
package dev.ligeiro.processor.due;

import org.jspecify.annotations.NullMarked;
