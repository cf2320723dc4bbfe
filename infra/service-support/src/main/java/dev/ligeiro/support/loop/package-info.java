/** Loops that start work: what waits, or the same again. The gateway's limits and repeated work and the processor's rail calls call in. */
@NullMarked
package dev.ligeiro.support.loop;

import org.jspecify.annotations.NullMarked;
