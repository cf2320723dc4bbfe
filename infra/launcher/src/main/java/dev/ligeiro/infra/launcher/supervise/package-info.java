/** Starts, restarts and stops processes. Called by the launcher; calls only {@code terminal}. */
@NullMarked
package dev.ligeiro.infra.launcher.supervise;

import org.jspecify.annotations.NullMarked;
