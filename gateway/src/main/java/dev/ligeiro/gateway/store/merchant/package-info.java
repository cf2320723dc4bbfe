/** Merchants: what is stored of them, and which of their operations a live rail serves. Reads and writes MongoDB. */
@NullMarked
package dev.ligeiro.gateway.store.merchant;

import org.jspecify.annotations.NullMarked;
