/** Settings records, bound and validated as at the start of a service. */
@NullMarked
package dev.ligeiro.testing.settings;

import org.jspecify.annotations.NullMarked;
