/**
 * What a batch of commands makes of its transactions: pure functions over immutable values. The flow in {@code intake} calls in
 * and does what is decided; this package calls nobody.
 */
@NullMarked
package dev.ligeiro.processor.decide;

import org.jspecify.annotations.NullMarked;
