/**
 * The commands about webhooks: {@code isolation}, {@code drain}, {@code due-rows} and {@code feed}. Called by the command line.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.webhook;

import org.jspecify.annotations.NullMarked;
