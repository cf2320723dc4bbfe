/**
 * Payment rails, the networks that move the money. Called by {@code intake} through {@link dev.ligeiro.processor.rail.Rails}; a
 * rail calls only its network.
 */
@NullMarked
package dev.ligeiro.processor.rail;

import org.jspecify.annotations.NullMarked;
