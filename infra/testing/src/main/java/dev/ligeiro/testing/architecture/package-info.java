/** ArchUnit rules that hold in every service. */
@NullMarked
package dev.ligeiro.testing.architecture;

import org.jspecify.annotations.NullMarked;
