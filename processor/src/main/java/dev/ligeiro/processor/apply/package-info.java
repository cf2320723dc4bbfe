/**
 * Writes decisions to MongoDB: {@link dev.ligeiro.processor.apply.TransactionBatchStore} writes the changes,
 * {@link dev.ligeiro.processor.apply.UnmatchedPaymentStore} records unmatched payments,
 * {@link dev.ligeiro.processor.apply.BucketVersionStore} marks cached counts of lists as outdated. Called by {@code intake}
 * and {@code resolve}; {@code notice} and {@code books} ask what is stored.
 */
@NullMarked
package dev.ligeiro.processor.apply;

import org.jspecify.annotations.NullMarked;
