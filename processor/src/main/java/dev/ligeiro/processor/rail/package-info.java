/**
 * Payment rails: what moves the money. The flow calls in through {@link dev.ligeiro.processor.rail.Rails}; a rail calls nobody
 * but the network it stands for.
 */
@NullMarked
package dev.ligeiro.processor.rail;

import org.jspecify.annotations.NullMarked;
