/** The routes of live transactions, which gateway and processor read from the same setting. */
@NullMarked
package dev.ligeiro.support.rail;

import org.jspecify.annotations.NullMarked;
