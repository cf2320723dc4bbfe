/**
 * Reads one transaction.
 */
@NullMarked
package dev.ligeiro.gateway.show;

import org.jspecify.annotations.NullMarked;
