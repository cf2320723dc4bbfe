/** Constraints of the services' settings. */
@NullMarked
package dev.ligeiro.support.settings;

import org.jspecify.annotations.NullMarked;
