/** Log lines for tests. */
@NullMarked
package dev.ligeiro.testing.log;

import org.jspecify.annotations.NullMarked;
