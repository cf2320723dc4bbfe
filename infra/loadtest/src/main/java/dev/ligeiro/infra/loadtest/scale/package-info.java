/**
 * The command {@code scale}: more and fewer processes of a service under load, and its figure. Called by the command line.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.scale;

import org.jspecify.annotations.NullMarked;
