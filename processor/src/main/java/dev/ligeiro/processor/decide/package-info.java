/**
 * Decides the changes, rail calls and events of a batch of commands: pure functions over immutable values. Called by
 * {@code intake}, which carries out the decisions. It uses the facts and requests of {@code rail}.
 */
@NullMarked
package dev.ligeiro.processor.decide;

import org.jspecify.annotations.NullMarked;
