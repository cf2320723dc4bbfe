/** Output of the launcher for the person at the terminal. Called by all other packages of the launcher; calls none. */
@NullMarked
package dev.ligeiro.infra.launcher.terminal;

import org.jspecify.annotations.NullMarked;
