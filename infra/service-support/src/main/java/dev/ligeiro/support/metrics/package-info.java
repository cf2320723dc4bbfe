/** Meters that the services share. */
@NullMarked
package dev.ligeiro.support.metrics;

import org.jspecify.annotations.NullMarked;
