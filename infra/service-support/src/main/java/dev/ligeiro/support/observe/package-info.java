/** What the services show of themselves: meters, traces, and the values of settings that operators may read. */
@NullMarked
package dev.ligeiro.support.observe;

import org.jspecify.annotations.NullMarked;
