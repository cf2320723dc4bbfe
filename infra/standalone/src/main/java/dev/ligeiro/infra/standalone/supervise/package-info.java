/** Starts, restarts and stops processes. Called by the launcher; calls only {@code terminal}. */
@NullMarked
package dev.ligeiro.infra.standalone.supervise;

import org.jspecify.annotations.NullMarked;
