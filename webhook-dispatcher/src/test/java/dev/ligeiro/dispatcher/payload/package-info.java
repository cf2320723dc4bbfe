@NullMarked
package dev.ligeiro.dispatcher.payload;

import org.jspecify.annotations.NullMarked;
