/**
 * The identifiers of the Pix rail as values. Every instance is valid and normalised.
 *
 * <p>{@code transaction} holds them, {@code store} reads and writes them, the gateway creates them from requests and queries.
 * This package depends on no other package of Ligeiro. Invalid text causes an {@link IllegalArgumentException} whose message
 * states the rule and never repeats the text, which is personal data. For the same reason {@code toString} of a personal value
 * hides it.
 */
@NullMarked
package dev.ligeiro.pix;

import org.jspecify.annotations.NullMarked;
