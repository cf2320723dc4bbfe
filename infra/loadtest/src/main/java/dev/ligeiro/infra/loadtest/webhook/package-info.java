/**
 * The command {@code isolation}. Called by the command line.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.webhook;

import org.jspecify.annotations.NullMarked;
