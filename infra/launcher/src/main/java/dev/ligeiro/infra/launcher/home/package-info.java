/** The files of a system: its folder, pids, demo merchant and {@code demo.env}. Called by the launcher; calls only {@code terminal}. */
@NullMarked
package dev.ligeiro.infra.launcher.home;

import org.jspecify.annotations.NullMarked;
