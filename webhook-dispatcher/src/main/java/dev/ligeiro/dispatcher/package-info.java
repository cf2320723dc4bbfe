/**
 * The webhook-dispatcher reads events from Kafka, stores deliveries in MongoDB and posts signed webhooks to merchants.
 *
 * <p>Packages, in the direction of their dependencies: {@code intake} (events to deliveries and first attempts), {@code lane} (per endpoint:
 * further attempts, circuit breaker, fairness, feeds), {@code attempt} (sign, post, complete; deliveries and endpoints), {@code http}.
 */
@NullMarked
package dev.ligeiro.dispatcher;

import org.jspecify.annotations.NullMarked;
