/**
 * Carries out decisions: {@link dev.ligeiro.processor.apply.TransactionBatchStore} writes changes to MongoDB,
 * {@link dev.ligeiro.processor.apply.EventPublisher} sends events to Kafka, {@link dev.ligeiro.processor.apply.RailAnswerPublisher} sends
 * late answers of rails as commands, {@link dev.ligeiro.processor.apply.UnmatchedPaymentStore} records unmatched payments,
 * {@link dev.ligeiro.processor.apply.BucketVersionStore} marks cached counts of lists as outdated. Called by {@code intake}.
 */
@NullMarked
package dev.ligeiro.processor.apply;

import org.jspecify.annotations.NullMarked;
