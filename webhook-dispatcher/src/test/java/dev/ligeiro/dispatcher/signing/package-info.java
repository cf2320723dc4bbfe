@NullMarked
package dev.ligeiro.dispatcher.signing;

import org.jspecify.annotations.NullMarked;
