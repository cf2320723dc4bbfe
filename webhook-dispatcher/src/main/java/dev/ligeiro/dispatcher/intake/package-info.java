/**
 * Events to deliveries: {@code TransactionEventsListener} receives batches, some of which run at once ({@code ConsumerBatches}); a batch
 * ({@code ProcessBatch}, {@code DispatchEvents}) plans its deliveries, makes the first attempts of those whose endpoints are free, and
 * stores all. Events that another process may have begun before ({@code EventBatch}) are only stored. Calls {@code lane} and {@code attempt}.
 */
@NullMarked
package dev.ligeiro.dispatcher.intake;

import org.jspecify.annotations.NullMarked;
