/**
 * The webhook-dispatcher: Kafka in, MongoDB, signed webhooks out. The way of an event is one package a step: {@code intake} →
 * {@code schedule} (what follows from an attempt, and the attempts that are due) → {@code attempt} (signed, posted, noted) →
 * {@code delivery} (what is stored of it); beside them {@code endpoint}, {@code signing} and {@code http}.
 */
@NullMarked
package dev.ligeiro.dispatcher;

import org.jspecify.annotations.NullMarked;
