/** Binds and validates settings records as at the start of a service. */
@NullMarked
package dev.ligeiro.testing.settings;

import org.jspecify.annotations.NullMarked;
