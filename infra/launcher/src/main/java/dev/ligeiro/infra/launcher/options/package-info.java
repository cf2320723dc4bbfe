/** The command line of {@code infra/run}. Called by the launcher; calls only {@code terminal}. */
@NullMarked
package dev.ligeiro.infra.launcher.options;

import org.jspecify.annotations.NullMarked;
