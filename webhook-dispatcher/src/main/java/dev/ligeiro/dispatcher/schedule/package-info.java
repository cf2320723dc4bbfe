/** What follows from an attempt, and the deliveries that are due: {@code intake} calls in, it calls {@code attempt}, {@code delivery} and {@code endpoint}. */
@NullMarked
package dev.ligeiro.dispatcher.schedule;

import org.jspecify.annotations.NullMarked;
