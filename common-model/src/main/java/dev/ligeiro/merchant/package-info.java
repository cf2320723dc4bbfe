/**
 * Merchants with their API keys, limits and stops, as they are stored. The desk writes them for operators; the gateway reads them. Depends on
 * {@code transaction}, {@code store} and {@code view}.
 */
@NullMarked
package dev.ligeiro.merchant;

import org.jspecify.annotations.NullMarked;
