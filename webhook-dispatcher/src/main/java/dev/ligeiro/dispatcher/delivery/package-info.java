/** Deliveries, their attempts and their store. Called by {@code intake}, {@code attempt} and {@code schedule}; calls MongoDB. */
@NullMarked
package dev.ligeiro.dispatcher.delivery;

import org.jspecify.annotations.NullMarked;
