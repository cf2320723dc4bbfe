/** The forms of messages and documents that the releases of Ligeiro have written. Every later version must read them. */
@NullMarked
package dev.ligeiro.release;

import org.jspecify.annotations.NullMarked;
