/**
 * The webhook-dispatcher reads events from Kafka, stores deliveries in MongoDB and posts signed webhooks to merchants.
 *
 * <p>Packages, in the direction of their dependencies: {@code intake} (events to deliveries and first attempts), {@code lane} (per
 * endpoint: further attempts, circuit breaker, fairness), {@code attempt} (sign, post, complete); beside them {@code backlog} (watches
 * and repairs all lanes); used by these: {@code schedule} (pure), {@code delivery} (store), {@code endpoint}, {@code feed} (numbers),
 * {@code payload}, {@code signing}, {@code http}.
 */
@NullMarked
package dev.ligeiro.dispatcher;

import org.jspecify.annotations.NullMarked;
