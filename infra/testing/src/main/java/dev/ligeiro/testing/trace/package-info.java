/** A receiver of traces for tests. */
@NullMarked
package dev.ligeiro.testing.trace;

import org.jspecify.annotations.NullMarked;
