@NullMarked
package dev.ligeiro.dispatcher.delivery;

import org.jspecify.annotations.NullMarked;
