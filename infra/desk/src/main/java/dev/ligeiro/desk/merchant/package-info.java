/** Merchants with their platforms, fees and limits. */
@NullMarked
package dev.ligeiro.desk.merchant;

import org.jspecify.annotations.NullMarked;
