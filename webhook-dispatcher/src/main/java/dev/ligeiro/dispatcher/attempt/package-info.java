/**
 * Rounds of attempts: signs and posts webhooks, with limits and metrics. Called by {@code intake} and {@code schedule}; calls
 * {@code signing} and {@code http}, and uses the types of {@code delivery}.
 */
@NullMarked
package dev.ligeiro.dispatcher.attempt;

import org.jspecify.annotations.NullMarked;
