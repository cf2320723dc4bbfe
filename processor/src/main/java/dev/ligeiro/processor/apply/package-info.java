/**
 * Makes decisions real: {@link dev.ligeiro.processor.apply.TransactionStore} writes them to MongoDB,
 * {@link dev.ligeiro.processor.apply.EventPublisher} tells Kafka. The flow in {@code intake} calls in; neither decides.
 */
@NullMarked
package dev.ligeiro.processor.apply;

import org.jspecify.annotations.NullMarked;
