/** The ArchUnit rules of all services. */
@NullMarked
package dev.ligeiro.testing.architecture;

import org.jspecify.annotations.NullMarked;
