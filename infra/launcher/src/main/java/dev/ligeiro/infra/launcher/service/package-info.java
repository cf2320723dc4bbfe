/** The three services as processes: program, settings and ports. Called by the launcher; calls {@code options}, {@code terminal}. */
@NullMarked
package dev.ligeiro.infra.launcher.service;

import org.jspecify.annotations.NullMarked;
