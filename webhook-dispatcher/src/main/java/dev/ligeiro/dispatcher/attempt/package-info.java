/**
 * Rounds of attempts at deliveries, each signed, posted and noted: {@code intake} and {@code schedule} call in, it calls
 * {@code delivery}, {@code signing} and {@code http}.
 */
@NullMarked
package dev.ligeiro.dispatcher.attempt;

import org.jspecify.annotations.NullMarked;
