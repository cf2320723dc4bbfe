/** A clock that tests move, and how often tests check a condition. */
@NullMarked
package dev.ligeiro.testing.time;

import org.jspecify.annotations.NullMarked;
