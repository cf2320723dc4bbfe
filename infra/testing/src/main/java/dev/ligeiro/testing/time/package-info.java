/** A clock that tests move. */
@NullMarked
package dev.ligeiro.testing.time;

import org.jspecify.annotations.NullMarked;
