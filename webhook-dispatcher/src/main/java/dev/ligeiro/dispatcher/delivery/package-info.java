/** A delivery, its attempts and their store: {@code intake} and {@code schedule} call in, it calls {@code http}, {@code signing} and MongoDB. */
@NullMarked
package dev.ligeiro.dispatcher.delivery;

import org.jspecify.annotations.NullMarked;
