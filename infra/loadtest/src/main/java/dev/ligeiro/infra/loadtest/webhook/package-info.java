/**
 * The commands about webhooks: {@code isolation}, {@code drain}, {@code due-rows} and {@code feed}. Called by the command line;
 * {@code scale} registers its endpoints and counts its webhooks here.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.webhook;

import org.jspecify.annotations.NullMarked;
