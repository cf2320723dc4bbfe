/** Programs in Python that tests run. */
@NullMarked
package dev.ligeiro.testing.python;

import org.jspecify.annotations.NullMarked;
