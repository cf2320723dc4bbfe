/**
 * Attempts, first ones and retries alike: a {@code Dispatch} is signed and posted ({@code AttemptDelivery}) and becomes
 * {@code Completed}; {@code CompleteAttempts} decides what follows, and writes it if the delivery is stored already.
 * {@code Attempts} decides which of them starts next, {@code FirstAttempts} how long a batch waits for its own. The stores of deliveries, endpoints and payloads are here too. Called by
 * {@code intake} and {@code lane}; calls {@code http} and MongoDB.
 */
@NullMarked
package dev.ligeiro.dispatcher.attempt;

import org.jspecify.annotations.NullMarked;
