/** When repeated work is due next. Gateway and processor call in. */
@NullMarked
package dev.ligeiro.support.time;

import org.jspecify.annotations.NullMarked;
