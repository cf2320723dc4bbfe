/** A delivery, what became of its attempts, and their store: {@code intake}, {@code attempt} and {@code schedule} call in, it calls MongoDB. */
@NullMarked
package dev.ligeiro.dispatcher.delivery;

import org.jspecify.annotations.NullMarked;
