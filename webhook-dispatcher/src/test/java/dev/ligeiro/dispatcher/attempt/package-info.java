@NullMarked
package dev.ligeiro.dispatcher.attempt;

import org.jspecify.annotations.NullMarked;
