/** The set-up that the three services share. The packages are independent; the application classes import their configuration. */
@NullMarked
package dev.ligeiro.support;

import org.jspecify.annotations.NullMarked;
