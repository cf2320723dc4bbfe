/**
 * Merchants, their platforms and API keys: authenticates callers, and creates merchants through the admin API.
 */
@NullMarked
package dev.ligeiro.gateway.merchant;

import org.jspecify.annotations.NullMarked;
