/** The time, moved by tests. */
@NullMarked
package dev.ligeiro.testing.time;

import org.jspecify.annotations.NullMarked;
