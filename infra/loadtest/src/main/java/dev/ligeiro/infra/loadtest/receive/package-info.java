/**
 * The merchant's webhook endpoint: verifies each webhook and notes its arrival.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.receive;

import org.jspecify.annotations.NullMarked;
