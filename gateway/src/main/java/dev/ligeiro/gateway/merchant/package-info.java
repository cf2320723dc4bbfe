/**
 * Who calls: merchants, their platforms and keys, and the admin API that makes them.
 */
@NullMarked
package dev.ligeiro.gateway.merchant;

import org.jspecify.annotations.NullMarked;
