/**
 * The commands about too much load: {@code overload}, {@code abuse}, and {@code checkout} for many open pages. Called by the command line.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.abuse;

import org.jspecify.annotations.NullMarked;
