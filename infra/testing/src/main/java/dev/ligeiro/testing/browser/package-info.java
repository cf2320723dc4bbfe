/** A real browser for the tests of pages. */
@NullMarked
package dev.ligeiro.testing.browser;

import org.jspecify.annotations.NullMarked;
