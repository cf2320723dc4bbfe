/** When repeated work is due next. The watchers of the gateway and the processor call in. */
@NullMarked
package dev.ligeiro.support.time;

import org.jspecify.annotations.NullMarked;
