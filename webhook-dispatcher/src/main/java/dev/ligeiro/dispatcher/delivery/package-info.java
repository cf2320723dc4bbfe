/**
 * The store and the counters of deliveries. Called by {@code intake}, {@code attempt}, {@code lane} and {@code backlog}; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.dispatcher.delivery;

import org.jspecify.annotations.NullMarked;
