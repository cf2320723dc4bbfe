/** Programs and libraries of other languages. The tests of receivers and of the bank call it. */
@NullMarked
package dev.ligeiro.testing.packages;

import org.jspecify.annotations.NullMarked;
