/**
 * Carries out what operators have confirmed, one decision after the other. Called by time; it asks {@code rail} about unmatched payments,
 * sends commands and book events, and writes what has become of the decisions.
 */
@NullMarked
package dev.ligeiro.processor.resolve;

import org.jspecify.annotations.NullMarked;
