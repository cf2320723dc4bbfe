/**
 * The set-up that the three services share. The application classes import the configuration of each package; {@code observe} and
 * {@code work} use no other package.
 */
@NullMarked
package dev.ligeiro.support;

import org.jspecify.annotations.NullMarked;
