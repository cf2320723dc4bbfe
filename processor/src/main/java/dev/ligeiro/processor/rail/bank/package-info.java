/**
 * The access to an account at a bank or payment provider over HTTP, with its settings. Called by the live rails, which know the calls and
 * what their answers mean.
 */
@NullMarked
package dev.ligeiro.processor.rail.bank;

import org.jspecify.annotations.NullMarked;
