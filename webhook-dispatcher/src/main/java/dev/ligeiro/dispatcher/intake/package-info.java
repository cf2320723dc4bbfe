/** Receives events from Kafka and makes the first attempts. Calls {@code endpoint}, {@code attempt}, {@code delivery} and {@code schedule}. */
@NullMarked
package dev.ligeiro.dispatcher.intake;

import org.jspecify.annotations.NullMarked;
