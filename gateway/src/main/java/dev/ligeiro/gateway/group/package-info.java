/**
 * Makes one call of many concurrent ones. Called by the stores of the hot paths.
 */
@NullMarked
package dev.ligeiro.gateway.group;

import org.jspecify.annotations.NullMarked;
