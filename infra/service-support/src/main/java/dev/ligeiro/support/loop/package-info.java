/** Loops that start work. The gateway's limits and the processor's rail calls call in. */
@NullMarked
package dev.ligeiro.support.loop;

import org.jspecify.annotations.NullMarked;
