/** Meters that the services share. */
@NullMarked
package dev.ligeiro.support.observe;

import org.jspecify.annotations.NullMarked;
