/**
 * The webhook-dispatcher reads events from Kafka, stores deliveries in MongoDB and posts signed webhooks to merchants.
 *
 * <p>Packages, in the direction of their dependencies: {@code intake} (events to first attempts), {@code schedule} (retries),
 * {@code attempt} (rounds of HTTP requests), {@code delivery} (stored deliveries); used by these: {@code endpoint},
 * {@code payload}, {@code signing}, {@code http}.
 */
@NullMarked
package dev.ligeiro.dispatcher;

import org.jspecify.annotations.NullMarked;
