/**
 * Changes that a caller asks for: they become commands, only the processor applies them.
 */
@NullMarked
package dev.ligeiro.gateway.change;

import org.jspecify.annotations.NullMarked;
