/**
 * The transaction: its values, its status machine and its history. Immutable values and pure functions. Every service uses it;
 * it depends on {@code pix} only.
 */
@NullMarked
package dev.ligeiro.transaction;

import org.jspecify.annotations.NullMarked;
