/**
 * The retry schedule, the worker for due deliveries and the writer of their results. Called by {@code intake}; calls
 * {@code attempt}, {@code delivery} and {@code endpoint}.
 */
@NullMarked
package dev.ligeiro.dispatcher.schedule;

import org.jspecify.annotations.NullMarked;
