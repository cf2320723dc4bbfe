/**
 * Changes that a caller requests. They are sent as commands; only the processor applies them.
 */
@NullMarked
package dev.ligeiro.gateway.api.change;

import org.jspecify.annotations.NullMarked;
